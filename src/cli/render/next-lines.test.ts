import { expect, test } from "vitest";
import { glyphs } from "./glyphs.ts";
import { plainText } from "./line.ts";
import { nextLines } from "./next-lines.ts";

const commands = [
  { command: "plait retry tax", says: "try again" },
  {
    command: "plait land flood-the-checkout-with-orders-of-many-people-k7f2",
    says: "land the 3 that are merged",
  },
];
const at = (width: number) =>
  nextLines(commands, { width, glyphs: glyphs.unicode }).map((line) => plainText(line).trimEnd());

test("a command that leaves no room beside it is explained below, and the others beside them", () => {
  expect(at(80)).toEqual([
    "next  plait retry tax   try again",
    "      plait land flood-the-checkout-with-orders-of-many-people-k7f2",
    "         land the 3 that are merged",
  ]);
});

test("where there is room all are explained in one column; a narrow terminal has the commands alone", () => {
  expect(at(120).map((line) => line.search(/try again|land the 3/))).toEqual([70, 70]);
  expect(at(40)).toEqual([
    "next  plait retry tax   try again",
    "      plait land flood-the-checkout-with-orders-of-many-people-k7f2",
  ]);
});
