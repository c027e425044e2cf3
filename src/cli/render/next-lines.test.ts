import { expect, test } from "vitest";
import { plait } from "../../core/text/command.ts";
import { glyphs } from "./glyphs.ts";
import { plainText } from "./line.ts";
import { nextLines } from "./next-lines.ts";

const commands = [
  { command: plait("retry", "tax"), purpose: "retry tax" },
  {
    command: plait("land", "flood-the-checkout-with-orders-of-many-people-k7f2"),
    purpose: "land 3 merged tasks",
  },
];
const at = (width: number) =>
  nextLines(commands, { width, glyphs: glyphs.unicode }).map((line) => plainText(line).trimEnd());

test("a command that leaves no room beside it is explained below, and the others beside them", () => {
  expect(at(80)).toEqual([
    "next  plait retry tax   retry tax",
    "      plait land flood-the-checkout-with-orders-of-many-people-k7f2",
    "         land 3 merged tasks",
  ]);
});

test("where there is room all are explained in one column; a narrow terminal has the commands alone", () => {
  expect(at(120).map((line) => line.search(/ retry tax$| land 3/))).toEqual([69, 69]);
  expect(at(40)).toEqual([
    "next  plait retry tax   retry tax",
    "      plait land flood-the-checkout-with-orders-of-many-people-k7f2",
  ]);
});
