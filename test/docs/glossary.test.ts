import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/plait.ts";

type Entry = { readonly terms: readonly string[]; readonly retired: readonly string[] };

const lines = readFileSync(join(root, "docs/GLOSSARY.md"), "utf8").split("\n");
const entries = lines.filter((line) => line.startsWith("| **")).map(parseEntry);
const terms = new Set(entries.flatMap((entry) => entry.terms));
const retired = entries.flatMap((entry) => entry.retired);

function parseEntry(line: string): Entry {
  const [word = "", , replaces = ""] = line.slice(2, -2).split(" | ");
  return {
    terms: Array.from(word.matchAll(/\*\*([^*]+)\*\*/g), ([, term = ""]) => term),
    retired: splitList(replaces),
  };
}

/** At commas outside of parentheses; a note in parentheses is part of the spelling. */
function splitList(cell: string): string[] {
  return cell.split(/, (?![^(]*\))/).map((one) => one.replaceAll("`", ""));
}

test("has at most sixty terms", () => {
  expect(entries.length).toBeGreaterThan(40);
  expect(entries.length).toBeLessThanOrEqual(60);
});

test("names one successor for each retired word", () => {
  expect(retired.filter((word) => word === "")).toEqual([]);
  expect(retired.filter((word, i) => retired.indexOf(word) !== i)).toEqual([]);
  const keys = retired.filter((word) => word.includes("(key"));
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter((word) => !/\(key, now [\w -]+/.test(word))).toEqual([]);
});

test("retires no spelling that is itself a term", () => {
  expect(retired.filter((word) => terms.has(word))).toEqual([]);
  const inOneSense = retired.filter((word) => terms.has(word.replace(/ \(.*/, "")));
  expect(inOneSense.length).toBeGreaterThan(0); // `merged (in counts)`: the note says in which
});

test("has nothing but its table and two lines of introduction", () => {
  const prose = lines.filter((line) => line !== "" && !line.startsWith("|") && !line.startsWith("#"));
  expect(prose).toHaveLength(2);
});
