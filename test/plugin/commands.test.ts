import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandPages, fenced, inlineCode, type Page, pageAt, root, skills } from "./files.ts";
import { allFlags, plaitLines, problemOf } from "./typed.ts";

const GUIDE = "docs/guide/spec-driven.md";

const pages: readonly Page[] = [...skills.values(), ...commandPages.values(), pageAt(GUIDE)];

describe.each(pages)("what $path tells people to type", (page) => {
  const lines = [
    ...fenced(page, "sh").flatMap((block) => block.split("\n")),
    ...inlineCode(page),
    ...allowed(page),
  ];

  test("is a command of plait with flags that it has", () => {
    expect(lines.flatMap(plaitLines).flatMap((words) => problemOf(words) ?? [])).toEqual([]);
  });

  test("names no flag that is nowhere", () => {
    const hint = page.front["argument-hint"] ?? "";
    const named = lines.flatMap((line) => /^--?[a-z][\w-]*/.exec(line) ?? []);
    expect(named.filter((flag) => !allFlags.has(flag) && !hint.includes(flag))).toEqual([]);
  });
});

test("a command, a flag, a value and a word too many are each found", () => {
  const wrong = [
    "plait spec explode",
    "git add -A && plait explode | cat",
    "plait spec init x --budget 3",
    "plait run x --land sometimes",
    "plait runs x",
  ];
  expect(wrong.flatMap(plaitLines).map(problemOf)).toEqual([
    "there is no command spec explode",
    "there is no command explode",
    "spec init has no flag --budget",
    "--land of run is not one of end, partial, never",
    "runs takes fewer words than x",
  ]);
});

/** The commands that a page lets Claude run without asking. */
function allowed({ front }: Page): string[] {
  const rules = front["allowed-tools"] ?? "";
  return [...rules.matchAll(/Bash\((.*?):\*\)/g)].map(([, line = ""]) => line);
}

test("what the guide links to is there", () => {
  const { path, text } = pageAt(GUIDE);
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
});
