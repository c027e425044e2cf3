import { describe, expect, test } from "vitest";
import { cpuMs } from "../../test/support/cpu.ts";
import { declaredTypes } from "./declared-types.ts";
import { type Language, languageOf } from "./language.ts";
import { type ReadSource, readSource } from "./read-source.ts";

async function reading<T>(language: Language, text: string, ask: (read: ReadSource) => T): Promise<T> {
  const read = await readSource(language, text);
  try {
    return ask(read);
  } finally {
    read.tree.free();
  }
}

/** `line:col what is there: message`. */
const errors = (language: Language, text: string) =>
  reading(language, text, ({ errors }) =>
    errors.map(({ message, start, end }) => {
      const before = text.slice(0, start).split("\n");
      return `${before.length}:${(before.at(-1) ?? "").length + 1} ${JSON.stringify(text.slice(start, end))} ${message}`;
    }),
  );

describe("what is no text of its language is told at its place", () => {
  test.each<[Language, string, ...string[]]>([
    ["python", "@dataclass\nclass A:\n    x int\n    y: str\n", '3:5 "x" invalid Python: `x int`'],
    ["python", "def f(:\n  pass\n", '1:7 "" `)` is missing here'],
    ["python", "x = (1,\ny = 2\n", '1:5 "(" `(` is never closed'],
    ["python", "x = 'abc\ny = 1\n", '1:5 "\'" this string is never closed'],
    ["python", "x = 1\n}\n", '2:1 "}" `}` has no opening match'],
    ["python", "<<<<<<< HEAD\nx = 1\n", '1:1 "<<<<<<<" invalid Python: `<<<<<<< HEAD`'],
    ["python", "class A:\n\nclass B:\n    x: int\n", '1:9 "" expected an indented block below this line'],
    ["python", "class A:\n    # later\n", '1:9 "" expected an indented block below this line'],
    ["python", "class A:\n    x: int\n  y: int\n", '3:3 "y: int" this line has the wrong indentation'],
    ["python", "class A:\n\tx = 1\n        y = 1\n", '3:9 "y = 1" this line has the wrong indentation'],
    ["python", "class A:\n    x: str =\n    y: int\n", '2:12 "=" the line is incomplete'],
    ["python", "print 'x'\n", "1:1 \"print 'x'\" this is Python 2; Python 3 needs parentheses"],
    ["python", "x = 1\n print 'y'\n", "2:2 \"print 'y'\" this line has the wrong indentation"],
    ["typescript", "export type A = {\n  id: number;\n", '1:17 "{" `{` is never closed'],
    ["typescript", "type A = B<C;\n", '1:13 "" `>` is missing here'],
    ["typescript", "type A = ;\n", '1:9 "" a type is missing here'],
    [
      "typescript",
      "type A = { id number };\ntype B = [1;\n",
      '1:12 "id" invalid TypeScript: `id number };`',
      '2:12 "" `]` is missing here',
    ],
    ["tsx", "type A = { a b };\nconst x = <p/>;\n", '1:14 "b" invalid TypeScript: `b };`'],
    ["javascript", "class A { x = }\n", '1:11 "x =" invalid JavaScript: `x = }`'],
    ["go", "package x\n\ntype A struct {\n\tID: int\n}\n", '4:4 ":" invalid Go: `: int`'],
    ["go", "type A struct{}\n", '1:1 "type A struct{}" a Go file must begin with a package clause'],
  ])("%s %j", async (language, text, ...said) => expect(await errors(language, text)).toEqual(said));
});

test("what is right is right", async () => {
  const python = `"""Doc
string"""
from __future__ import annotations
import a, \\
    b
words = "one" \\
    "two"


@d
# why
@e(1,
   2)
class A(B[T],
        metaclass=M):
    x: int = field(
        default=1,
    )
    y: str = f"""{
        z}"""; w: int

    class Inner: ...
    async def f(self, a: int, /, *b, **c) -> dict[str, list[int]]:
        with a as b, \\
             c as d: return [
                x for x in y
            if z]
        try:
            pass
        except* E:
            raise
        else: pass
        finally:
            # nothing
            pass
        match a:
            case {"x": 1}:
                return
            case _: pass
type Pair[K, V] = tuple[K, V]
if a: pass
elif b:
    pass
else:
    print("x", file=a)

`;
  expect(await errors("python", python)).toEqual([]);
  expect(await errors("python", python.replaceAll("\n", "\r\n"))).toEqual([]);
  expect(await errors("typescript", "export interface A<T> { a?: T; [k: string]: unknown }\n")).toEqual([]);
  expect(await errors("go", '// about\npackage x\n\ntype A struct {\n\tID int `json:"id"`\n}\n')).toEqual([]);
  for (const language of ["python", "typescript", "tsx", "javascript", "go"] as const)
    expect(await errors(language, "")).toEqual([]);
});

/** Each is right, and more than its grammar can read as it is. */
test.each<[Language, string]>([
  ["typescript", 'type A = import("./a").B<C>;\nlet x: typeof import("./a");\ntype D = import("d").E[];\n'],
  [
    "typescript",
    "interface A<in out T, out U = 1> { a: T }\ninterface B<\n  /** why */\n  in T,\n> { b: T }\n",
  ],
  ["typescript", 'export type * from "./a";\nexport type * as b from "./b";\n'],
  ["typescript", "export default function (a: string): void;\n"],
  ["typescript", "const x = 1;\nexport { x as null };\n"],
  ["typescript", 'import fs = require("fs");\nexport import os = require("os");\n'],
  ["typescript", 'declare module "x" {\n  global {\n    interface A { b: 1 }\n  }\n}\n'],
  ["typescript", "interface Paper {\n  title: string\n  abstract: string\n  abstract?(): void\n}\n"],
  ["typescript", "type F = (using: string, keyof?: number) => void;\ntype T = [string: 1, new: 2];\n"],
  ["typescript", "interface F {\n  (a: string): string\n  /** more */\n  <T>(a: T): T\n}\n"],
  ["typescript", "class A { static accessor x = 1; }\n"],
  ["typescript", "type A<T> = T extends `\\{${infer R}\\}` ? R : `\\`${string}\\\\`;\n"],
  ["python", "class Box[T: (int, str) = dict[str, int], *Ts = *tuple[int]](Base[T]):\n    x: T = 1\n"],
])("what is newer than its grammar is right too: %s %j", async (language, text) => {
  expect(await errors(language, text)).toEqual([]);
  const below = `\n${text.split("\n").length}:`;
  expect(`\n${(await errors(language, `${text}type A = ;\n`)).join("\n")}`).toContain(below); // it excuses nothing else
});

test("types are found with their names, in what they stand in", async () => {
  const names = (language: Language, text: string) =>
    reading(language, text, ({ tree }) => declaredTypes(tree).map(({ name }) => name));
  expect(await names("python", "@d\nclass A:\n    class No: ...\ntype B[T] = list[T]\nc = 1\n")).toEqual([
    "A",
    "B",
  ]);
  expect(
    await names(
      "typescript",
      "export type A = 1; interface B {}\ndeclare enum C { x }\nexport abstract class D {}\nnamespace N { export type E = 1 }\nconst f = 1;",
    ),
  ).toEqual(["A", "B", "C", "D", "N.E"]);
  expect(await names("go", "package x\ntype A struct{}\ntype (\n\tB int\n\tC = string\n)\n")).toEqual([
    "A",
    "B",
    "C",
  ]);
  expect(await names("javascript", "export class A {}\nlet b;")).toEqual(["A"]);
});

test("ten thousand lines take less than a second", async () => {
  const lines =
    "@dataclass\nclass A:\n    x: int\n    y: dict[str, list[int]] = field(default_factory=dict)\n\n";
  const start = cpuMs();
  expect(await errors("python", lines.repeat(2_000))).toEqual([]);
  expect(cpuMs() - start).toBeLessThan(1_000);
});

test.each<[string, Language, string]>([
  ["nested without end", "typescript", `${"(".repeat(15_000)}${")".repeat(15_000)}`],
  ["nested namespaces", "typescript", "namespace a {".repeat(20_000) + "}".repeat(20_000)],
  ["opened without end", "python", "[".repeat(30_000)],
  ["one line of statements", "python", "x;".repeat(30_000)],
  ["nothing but errors", "go", "}{)(*&^ x ".repeat(5_000)],
  ["NUL characters", "python", "x = 1\0\0\ny = 2\n"],
  ["half of a character", "javascript", "a = '\ud800'; \udc00\n"],
])("%s: nothing breaks, and the findings are few", async (_, language, text) => {
  const found = await reading(language, text, ({ tree, errors }) => [...errors, ...declaredTypes(tree)]);
  expect(found.length).toBeLessThanOrEqual(20);
});

test("a language is known by the ending", () =>
  expect(
    ["a.py", "a.d.ts", "A.TSX", "a.mjs", "a/b.go", "a.rs", "py", "a.constructor"].map(languageOf),
  ).toEqual([...["python", "typescript", "tsx", "javascript", "go"], ...[null, null, null]]));
