import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
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

test("nothing that Claude may run without asking can carry a shell command", () => {
  const rules = pages.flatMap(({ front }) => (front["allowed-tools"] ?? "").split(/,\s*/)).filter(Boolean);
  const others = rules.filter((rule) => !/^Bash\(plait [a-z]+(?: [a-z]+)?:\*\)$/.test(rule));
  expect([...new Set(others)].toSorted()).toEqual(["Glob", "Grep", "Read"]);
  const commandsOf = pages.flatMap(allowed).map((line) => line.replace(/^plait /, ""));
  const carrying = commandsOf.filter((name) => {
    const spec = commands.find((one) => one.name === name);
    const carries = spec?.flags.some((flag) => CARRIES.has(flag)) ?? true;
    return carries || STARTS.test(name);
  });
  expect(carrying).toEqual([]);
});

/** Flags whose value is a command, or that have a plan's commands run. */
const CARRIES: ReadonlySet<string> = new Set([
  "prompt",
  "gate",
  "setup",
  "runCommands",
  "dryRunCommands",
  "fixParts",
]);
/** These start agents or run commands of a plan or of the project. */
const STARTS = /^(?:run|resume|retry|land|demo|mcp|integrate|spec (?:go|decompose|integrate))$/;

test("what the guide links to is there", () => {
  const { path, text } = pageAt(GUIDE);
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
});
