// Messages that are not an error's sentence, and hints that give nothing to type, may only become fewer.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findErrorProblems, isGoodHint, isGoodMessage } from "./errors.ts";
import { countByPlace } from "./strings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const allowedFile = new URL("allowed-errors.json", import.meta.url);
const { UPDATE } = process.env;

it("errors are short and lower-case, and their hints can be typed", () => {
  const { seen, problems } = findErrorProblems(root);
  expect(seen).toBeGreaterThan(150);
  const counts = countByPlace(problems);
  const allowed: Record<string, number> = JSON.parse(readFileSync(allowedFile, "utf8"));
  const grown = Object.keys(counts).filter((place) => (counts[place] ?? 0) > (allowed[place] ?? 0));
  const listed = problems.filter(({ file }) => grown.some((place) => file.startsWith(place)));
  expect(listed.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
  if (UPDATE === "1") writeFileSync(allowedFile, `${JSON.stringify(counts, null, 2)}\n`);
});

it("the rules see what they are for", () => {
  expect(isGoodMessage("${…} is not running")).toBe(true);
  expect(["It is gone", "there is no run", "no run.", "x".repeat(101)].filter(isGoodMessage)).toEqual([]);
  expect(isGoodHint("resume it: plait resume ${…}")).toBe(true);
  expect(isGoodHint("name another file")).toBe(false);
});
