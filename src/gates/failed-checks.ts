// Which single checks of a gate failed, where it says so: in TAP on its standard output, or in JUnit files that it writes. A gate
// that is known to be red is judged by these: what failed before may fail again, what fails besides is new.

import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { matcher } from "../core/ownership/match.ts";
import type { PathPattern } from "../core/ownership/pattern.ts";

/** More than these say no more than that everything is broken. */
const MOST_CHECKS = 10_000;
const LONGEST_NAME = 400;
const LARGEST_REPORT = 32 * 1024 * 1024;

const TEST_POINT = /^\s*(not )?ok\b(?:\s+\d+)?\s*(?:- )?(.*)$/;
const DIRECTIVE = /\s#\s*(todo|skip)\b/i;

/** Subtests are indented test points: each counts by its own name. */
export function readTap() {
  const failed: string[] = [];
  let planned: number | null = null;
  let points = 0;
  return {
    line: (text: string): void => {
      const plan = /^1\.\.(\d+)/.exec(text);
      if (plan !== null) planned = Number(plan[1]);
      if (/^(not )?ok\b/.test(text)) points += 1;
      const [, not, name = ""] = TEST_POINT.exec(text) ?? [];
      // A failure that is announced (todo) is none.
      if (not === undefined || DIRECTIVE.test(name) || failed.length >= MOST_CHECKS) return;
      failed.push(name.trim().slice(0, LONGEST_NAME));
    },
    /** Null where nothing was reported in TAP, or not all that was announced: the suite ended half-way. */
    failed: (): readonly string[] | null => (planned !== null && points >= planned ? numbered(failed) : null),
  };
}

/** `not ok 3 - name: error`, of the first failure that a text in TAP has; null where there is none. Statistics end such a text. */
export function findTapFailure(text: string): string | null {
  const found = findFirstFailure(text);
  if (found === null) return null;
  const { printed, point, block } = found;
  const said = block.findIndex((line) => /^\s*(?:error|message):/.test(line));
  const value = block[said]?.replace(/^\s*\w+:\s*/, "").trim() ?? "";
  // A long one is in the lines below.
  const own = /^[|>][-+]?$/.test(value)
    ? (block[said + 1]?.trim() ?? "")
    : value.replace(/^(['"])(.*)\1$/, "$2");
  const error = own === "" || own === "test failed" ? (findPrintedError(printed) ?? own) : own;
  return error === "" ? point : `${point}: ${error}`;
}

/** All lines about the first failure in TAP: what was printed before it, and its block. */
export function findTapSection(text: string): readonly string[] | null {
  const found = findFirstFailure(text);
  return found === null ? null : [...found.printed, found.point, ...found.block];
}

/** The few of these lines that say why. */
export function listFailureLines(text: string, most: number): readonly string[] | null {
  const found = findFirstFailure(text);
  if (found === null) return null;
  const { printed, point, block } = found;
  const error = findPrintedError(printed);
  const stack = block.findIndex((line) => /^\s*stack:/.test(line));
  const own = (stack < 0 ? block : block.slice(0, stack)).filter(
    (line) => line.trim() !== "" && !SAYS_NOTHING.test(line),
  );
  const indent = Math.min(...own.map((line) => line.search(/\S/)));
  return [...(error === null ? [] : [error]), point, ...own.map((line) => line.slice(indent))].slice(0, most);
}

const SAYS_NOTHING = /^\s*(?:---$|(?:duration_ms|type|failureType|exitCode|signal|code|name|operator):)/;

type TapFailure = {
  /** What the test printed: comments in TAP. */
  readonly printed: readonly string[];
  readonly point: string;
  readonly block: readonly string[];
};

function findFirstFailure(text: string): TapFailure | null {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^\s*not ok \d+\b/.test(line) && !DIRECTIVE.test(line));
  const point = lines[at]?.trim();
  if (point === undefined) return null;
  const isOver = (line: string) => /^\s*(?:not )?ok\b|^\s*\.\.\.\s*$/.test(line);
  const isComment = (line: string) => /^\s*#/.test(line);
  const before = lines.slice(0, at);
  const printed = before.slice(before.findLastIndex((line) => !isComment(line)) + 1);
  const after = lines.slice(at + 1, at + 1 + LONGEST_BLOCK);
  const end = after.findIndex(isOver);
  return {
    printed: printed.filter((line) => !/^\s*# Subtest:/.test(line)),
    point,
    block: end < 0 ? after : after.slice(0, end),
  };
}

/** `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'`, `SyntaxError: …`. */
function findPrintedError(printed: readonly string[]): string | null {
  const line = printed.find((one) => /^\s*# \w*Error\b.*: \S/.test(one));
  return line?.replace(/^\s*# /, "") ?? null;
}

const LONGEST_BLOCK = 40;

/** Those that a commit or an earlier gate left. */
export async function removeReports(root: string, pattern: PathPattern): Promise<void> {
  const matches = matcher(pattern);
  for await (const path of filesBelow(root, ""))
    if (matches(path) === true) await rm(join(root, path), { force: true });
}

/** Null where there is no such file, or none that could be read. */
export async function junitFailures(root: string, pattern: PathPattern): Promise<readonly string[] | null> {
  const matches = matcher(pattern);
  const failed: string[] = [];
  let isReported = false;
  for await (const path of filesBelow(root, "")) {
    if (matches(path) === false) continue;
    const text = await readReport(join(root, path));
    if (text === null || !/<testsuites?[\s>]/.test(text)) continue;
    isReported = true;
    failed.push(...failuresIn(text));
  }
  return isReported ? numbered(failed.slice(0, MOST_CHECKS)) : null;
}

async function* filesBelow(root: string, below: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile()) yield path;
  }
}

async function readReport(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    return size > LARGEST_REPORT ? null : await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Test cases with a failure or an error in them. The format has no standard beyond these elements. */
function failuresIn(xml: string): string[] {
  const bare = xml.replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>/g, "").replaceAll(/<!--[\s\S]*?-->/g, "");
  const failed: string[] = [];
  for (const [, attributes = "", body = ""] of bare.matchAll(TEST_CASE)) {
    if (/<(failure|error)[\s/>]/.test(body)) failed.push(caseName(attributes));
  }
  return failed;
}

const TEST_CASE = /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

function caseName(attributes: string): string {
  const of = (name: string) =>
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
      .exec(attributes)
      ?.slice(1)
      .find((it) => it !== undefined) ?? "";
  return [of("file"), of("classname"), of("name")]
    .filter(Boolean)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .slice(0, LONGEST_NAME);
}

/** Two checks of one name are two. */
function numbered(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n === 1 ? name : `${name} (${n})`;
  });
}
