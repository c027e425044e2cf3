import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { moveAll, whyNotMoved } from "./moves.ts";

const top = mkdtempSync(join(tmpdir(), "plait-moves-"));
afterAll(() => rmSync(top, { recursive: true }));
let root = top;
beforeEach(() => {
  root = mkdtempSync(join(top, "case-"));
});
const at = (name: string) => join(root, name);
const move = (from: string, to: string) => ({ from: at(from), to: at(to) });
const why = async (moves: Parameters<typeof moveAll>[0]) =>
  whyNotMoved(await moveAll(moves).catch((error) => error));

test("where one cannot be done, those before it are taken back", async () => {
  for (const name of ["a", "b", "taken"]) writeFileSync(at(name), name);
  expect(await why([move("a", "a2"), move("b", "taken")])).toBe(
    "another program changed them; nothing was changed",
  );
  expect(readdirSync(root).sort()).toEqual(["a", "b", "taken"]);
});

test("what cannot be taken back is named where it is, and the rest is taken back all the same", async () => {
  mkdirSync(at("old"));
  for (const name of ["a", "old/mine", "old/gone"]) writeFileSync(at(name), name);
  mkdirSync(at("fresh"));
  const last = {
    to: at("d"),
    // At this moment somebody takes the name that one of them had.
    get from() {
      writeFileSync(at("backup/mine"), "another");
      return at("none");
    },
  };
  const moves = [
    move("a", "a2"),
    ...[move("old", "backup"), move("fresh", "old"), move("backup/mine", "old/mine")],
    ...[move("backup/gone", "old/gone"), last],
  ];
  expect(await why(moves)).toBe(
    `another program changed them; cannot move ${at("fresh/mine")} back to ${at("old/mine")}`,
  );
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(
    ["a", "fresh", "fresh/mine", "old", "old/gone", "old/mine"].sort(),
  );
  expect(readFileSync(at("fresh/mine"), "utf8")).toBe("old/mine");
});
