import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cpuMs } from "../../test/support/cpu.ts";
import { changed, inShort, ownership } from "../../test/support/ownership-cases.ts";
import type { ChangedFile, Ownership } from "./finding.ts";
import { judgeChange } from "./judge-work.ts";

const short = async (file: ChangedFile, owned: Ownership) =>
  (await judgeChange([file], owned)).map((found) => `${inShort(found)} (${found.owner ?? "nobody"})`);

test("paths are judged as the claims say, each with who owns it, and no text is read for that", async () => {
  const owned = ownership(["src/api/", "README.md"], {
    boundary: ["src/api/secret/**"],
    others: {
      all: ["**"],
      web: ["src/web"],
      one: ["src/web/a.ts"],
      css: ["src/x/*.css", "src/z/*.css"],
      z: ["src/z/", "src/x/y/"],
      part: ["src/b.ts::A"],
    },
  });
  const paths = [
    "src/api/a.ts",
    "src/api/secret/a.ts",
    "src/web/a.ts",
    "src/web/b.ts",
    "src/x/a.css",
    "src/z/a.css",
    "src/b.ts",
  ];
  const files = paths.map((path) => ({
    ...changed(path, null, "x"),
    after: () => Promise.reject(new Error(path)),
  }));
  expect(await judgeChange(files, owned)).toEqual([
    {
      kind: "boundary",
      path: "src/api/secret/a.ts",
      symbol: null,
      line: null,
      owner: "all",
      detail: "inside the boundary src/api/secret/**",
    },
    ...[
      ["src/web/a.ts", "one"],
      ["src/web/b.ts", "web"],
      ["src/x/a.css", "css"],
      ["src/z/a.css", "z"],
      ["src/b.ts", "all"],
    ].map(([path, owner]) => ({
      kind: "outside",
      path,
      symbol: null,
      line: null,
      owner,
      detail: "not in `owns` of the task",
    })),
  ]);
  expect(await judgeChange(files, ownership([]))).toEqual([]);
});

test("a part belongs to the task whose claim says it most exactly", async () => {
  const before = "class A:\n    class B:\n        x = 1\n        y = 1\n    z = 1\nw = 1\n";
  const others = { file: ["a.py"], a: ["a.py::A"], b: ["a.py::A.B"], y: ["*.py::A.B.y"] };
  const owned = ownership(["a.py::own"], { others });
  expect(await short(changed("a.py", before, before.replaceAll("= 1", "= 2")), owned)).toEqual([
    "3 A.B.x changed (b)",
    "4 A.B.y changed (y)",
    "5 A.z changed (a)",
    "6 w changed (file)",
  ]);
});

test("who owns a file as a whole may change every part of it", async () => {
  const file = changed("a.py", "x = 1\n", "y = 1\n");
  expect(await short(file, ownership(["a.py::Cart", "*.py"]))).toEqual([]);
  expect(await short(file, ownership(["a.py::x", "*.py::y"]))).toEqual([]);
  expect(await short(file, ownership(["a.py::Cart", "@(a|b).py"]))).toEqual([
    "? - unclear if @(a|b).py covers it (nobody)",
  ]);
  expect(await short(changed("a.py", "x = 1\n", "x=1\n"), ownership(["a.py::Cart", "@(a|b).py"]))).toEqual(
    [],
  );
});

const CART =
  "# Carts.\nimport a\n\nclass Cart:\n    def total(self): ...\n\nclass Order: ...\n\ndef f(): ...\n";

test("a file that is new holds what is owned, and what every file begins with", async () => {
  const owned = ownership(["a.py::Cart", "a.go::A", "a.ts::A"], { others: { o: ["a.py::Order"] } });
  expect(await short(changed("a.py", null, CART), owned)).toEqual([
    "7 Order added (o)",
    "9 f added (nobody)",
  ]);
  expect(
    await short(changed("a.py", null, CART), ownership(["a.py::Cart.total", "a.py::f", "a.py::Order"])),
  ).toEqual([]);
  expect(await short(changed("a.go", null, "// A.\npackage a\n\ntype A int\n"), owned)).toEqual([]);
  expect(await short(changed("a.ts", null, '// A.\n"use client";\nexport class A {}\n'), owned)).toEqual([]);
});

test("a file that is deleted is named with what was lost, also where it is only renamed", async () => {
  const owned = ownership(["a.py::Cart"], { others: { o: ["a.py::Order"] } });
  const gone = changed("a.py", CART, null);
  const lost = "deleted with `Order` and `f`; of this file the task owns only `Cart`";
  expect(await short(gone, owned)).toEqual([`- ${lost} (o)`]);
  expect((await judgeChange([gone, changed("b.py", null, CART)], owned)).map(inShort)).toEqual([
    `- ${lost}`,
    "- not in `owns` of the task",
  ]);
  expect(
    await short(changed("a.py", '"""Doc."""\n# Why.\nimport x\nclass Cart: ...\n', null), owned),
  ).toEqual([]);
});

test("what comes or goes as a whole is one thing, but for what is somebody else's in it", async () => {
  const before = "class Old:\n    x = 1\n    y = 2\n";
  const after = "class Cart:\n    x = 1\n    class Meta:\n        z = 1\n    def total(self): ...\n";
  const owned = ownership(["a.py::own"], { others: { t: ["a.py::Cart.total"] } });
  expect(await short(changed("a.py", before, after), owned)).toEqual([
    "1 Cart added (nobody)",
    "1 Old removed (nobody)",
    "5 Cart.total added (t)",
  ]);
});

test("a file that becomes a link is not the same file any more", async () => {
  const file = { ...changed("a.py", "x = 1\n", "x = 1\n"), after: async () => null, isReplaced: true };
  const owned = ownership(["a.py::Cart"], { others: { all: ["**"] } });
  expect(await judgeChange([file], owned)).toMatchObject([{ kind: "symbol", owner: "all", line: null }]);
  expect(await judgeChange([file], ownership(["a.py"]))).toEqual([]);
});

test("what cannot be looked into is said so", async () => {
  const owned = ownership(["a.py::Cart", "a.rb::Cart"]);
  const so = ", so it is unclear if only `Cart` was changed (nobody)";
  const binary = { ...changed("a.py", "x", "y"), before: async () => null };
  expect(await short(binary, owned)).toEqual([`? - it is not text${so}`]);
  expect(await short(changed("a.rb", "x", "y"), owned)).toEqual([
    `? - plait cannot parse files of this type${so}`,
  ]);
  expect(await short(changed("a.py", "x = 1\n", `x = "${"y".repeat(2_000_000)}"\n`), owned)).toEqual([
    `? - it is too long to parse${so}`,
  ]);
  expect(await short(changed("a.py", "x = 1\n", "x = 1\n"), owned)).toEqual([]); // its mode
});

test.each([
  ["a.py", "# @generated by a tool\nx = 1\n"],
  ["a.go", "// Code generated by a tool. DO NOT EDIT.\npackage a\n"],
  ["a.ts", "/*\n * Do not edit: this file is generated.\n */\nconst x = 1;\n"],
])("a generated file is not looked into: %s", async (path, before) => {
  const file = changed(path, before, `${before}\n`);
  expect(await short(file, ownership([`${path}::Cart`]))).toEqual([
    "? - it is a generated file, so it is unclear if only `Cart` was changed (nobody)",
  ]);
  expect(await short(file, ownership(["b"]))).toEqual([
    "- not in `owns` of the task; it is a generated file (nobody)",
  ]);
  // Nobody can say so in the change itself.
  const made = await short(changed(path, "", before), ownership([`${path}::Cart`]));
  expect(made.join()).not.toContain("it is a generated file");
  expect(await short(changed("b.py", "x = '@generated'\n", "x = 1\n"), ownership(["b.py::y"]))).toEqual([
    "1 x changed (nobody)",
  ]);
});

test("the repository may mark files as generated", async () => {
  const attributes =
    "# notes\n*.pb.py linguist-generated=true\ngen/** linguist-generated\ngen/own.py -linguist-generated\n";
  const owned = { ...ownership(["a.pb.py::A", "gen/**::A"]), attributes };
  const paths = ["a.pb.py", "x/a.pb.py", "gen/a/b.py", "gen/own.py"];
  const found = await judgeChange(
    paths.map((path) => changed(path, "x = 1\n", "x = 2\n")),
    owned,
  );
  expect(found.map(({ path, detail }) => `${path} ${detail.includes("a generated file")}`)).toEqual([
    "a.pb.py true",
    "x/a.pb.py true",
    "gen/a/b.py true",
    "gen/own.py false",
  ]);
});

test("a file that is written anew has few findings", async () => {
  const text = (value: number) => Array.from({ length: 200 }, (_, i) => `x${i} = ${value}\n`).join("");
  const found = await short(changed("a.py", text(1), text(2)), ownership(["a.py::x0"]));
  expect([found.length, found[0], found[50]]).toEqual([
    51,
    "2 x1 changed (nobody)",
    "52 and 149 more parts of this file that the task does not own (nobody)",
  ]);
});

test.each([
  ["a.py", `class B:\n    x = ${"(".repeat(5_000)}1${")".repeat(5_000)}\n`],
  ["a.ts", `${"namespace a {".repeat(3_000)} let x = 1 ${"}".repeat(3_000)}`],
  ["a.ts", `const ${"{ a: ".repeat(3_000)}b${" }".repeat(3_000)} = 1;`],
  ["a.ts", `x${".y()".repeat(5_000)};`],
  ["a.py", `${"a, ".repeat(5_000)} = b\n`],
  [
    "a.py",
    Array.from({ length: 60 }, (_, i) => `${" ".repeat(i)}${i < 59 ? "class C:" : "x = 1"}\n`).join(""),
  ],
  ["a.py", "if a:\n    pass\n".repeat(2_000)],
  ["a.js", `${"a;".repeat(5_000)}`],
  ["a.go", `package a\n\nvar x = ${"[]".repeat(10_000)}int{}\n`],
])("%s, however hostile, is judged", async (path, text) => {
  const start = cpuMs();
  await judgeChange(
    [changed(path, text, `${text}\n `), changed(path, null, text)],
    ownership([`${path}::Own`]),
  );
  expect(cpuMs() - start).toBeLessThan(2_000);
});

test.each([
  [
    "a.py",
    "class Cart{n}(Base):\n    items: list[Item] = field(default_factory=list)\n\n    @property\n    def total(self) -> Decimal:\n        # all of it\n        total = sum((item.price * item.count for item in self.items), Decimal(0))\n        if total > self.limit and not self.is_free(total, why='gift'):\n            raise ValueError(f'too much: {total}')\n        return total\n",
  ],
  [
    "a.ts",
    "/** A cart. */\nexport class Cart{n} extends Base<Item> {\n  readonly items: Item[] = [];\n  @memo()\n  get total(): number {\n    const total = this.items.reduce((sum, item) => sum + item.price * item.count, 0);\n    if (total > this.limit && !this.isFree(total, { why: 'gift' }))\n      throw new Error(`too much: ${total}`);\n    return total;\n  }}\n",
  ],
])("ten thousand lines of %s cost about ten times what a thousand cost", async (path, lines) => {
  const owned = ownership([`${path}::Cart0`]);
  const judge = async (classes: number) => {
    const text = Array.from({ length: classes }, (_, i) => lines.replace("{n}", String(i))).join("");
    const last = `Cart${classes - 1}`;
    const start = cpuMs();
    const found = await short(
      changed(path, text, text.replace("price", "cost").replace(last, `${last}9`)),
      owned,
    );
    expect(found.length).toBe(2);
    return cpuMs() - start;
  };
  await judge(100); // the grammar is loaded once
  const small = await judge(100);
  expect(await judge(1_000)).toBeLessThan(40 * Math.max(small, 10));
});

test("the parser is not loaded where no claim names a symbol", () => {
  const root = join(import.meta.dirname, "..");
  const seen = new Set<string>();
  const walk = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, from] of text.matchAll(/^(?:import|export)\b(?! type\b)[^;]*? from "([^"]+)"/gm)) {
      expect(from).not.toBe("web-tree-sitter");
      if (from?.startsWith(".")) walk(join(file, "..", from));
    }
  };
  walk(join(root, "ownership/judge-work.ts"));
  expect(seen.size).toBeGreaterThan(3);
});
