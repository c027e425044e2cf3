import { describe, expect, test } from "vitest";
import type { Language } from "../../../syntax/language.ts";
import { readSource } from "../../../syntax/read-source.ts";
import { scriptTypes } from "./script.ts";
import type { DeclaredShape, Field, ValueType } from "./shape.ts";

async function typesIn(text: string, language: Language = "typescript"): Promise<readonly DeclaredShape[]> {
  const { tree } = await readSource(language, text);
  try {
    return scriptTypes(tree).types;
  } finally {
    tree.free();
  }
}

/** `A {x: string; y?: number}`, `B "a" | "b"`, `C = list<A>`, `D ? why`: one line a type, for people. */
const said = (types: readonly DeclaredShape[]): string[] => types.map(sayDeclared);

function sayDeclared({ name, shape, bases }: DeclaredShape): string {
  const from = bases.length === 0 ? "" : ` < ${bases.join(", ")}`;
  if (shape.kind === "fields")
    return `${name}${from} ${sayFields(shape.fields)}${shape.more === null ? "" : ` … ${shape.more}`}`;
  if (shape.kind === "values") return `${name}${from} ${shape.values.join(" | ")}`;
  return shape.kind === "alias" ? `${name}${from} = ${say(shape.type)}` : `${name}${from} ? ${shape.why}`;
}

function say(type: ValueType): string {
  if (type.kind === "literal") return type.value;
  if (type.kind === "union") return type.of.map(say).join(" | ");
  if (type.kind === "fields") return sayFields(type.fields);
  if (type.kind === "unknown") return `?${type.text}?`;
  return type.args.length === 0 ? type.name : `${type.name}<${type.args.map(say).join(", ")}>`;
}

function sayFields(fields: readonly Field[]): string {
  const each = fields.map(({ name, type, isOptional, leftOutUnclear, isImplied }) => {
    const mark = `${isOptional ? "?" : ""}${leftOutUnclear ? "~" : ""}`;
    return `${isImplied ? "+" : ""}${name}${mark}: ${say(type)}`;
  });
  return `{${each.join("; ")}}`;
}

type Case = readonly [string, ...string[]];

const cases = (list: readonly Case[], language: Language = "typescript") =>
  test.each(list)("%s", async (text, ...expected) => {
    expect(said(await typesIn(text, language))).toEqual(expected);
  });

describe("types of values have the names of both languages", () => {
  cases([
    ["type A = string", "A = string"],
    ["type A = unknown; type B = any", "A = any", "B = any"],
    ["type A = Date; type B = bigint; type C = Buffer", "A = datetime", "B = integer", "C = bytes"],
    ["type A = string[]; type B = readonly B1[]; ", "A = list<string>", "B = list<B1>"],
    ["type A = Array<string>; type B = ReadonlyArray<(X)>", "A = list<string>", "B = list<X>"],
    ["type A = Set<string>; type B = Map<string, X>", "A = set<string>", "B = map<string, X>"],
    ["type A = { [key: string]: X }", "A = map<string, X>"],
    ["type A = Record<string, X>; type B = Record<Kind, X>", "A = map<string, X>", "B = map<Kind, X>"],
    ['type A = Record<"a" | "b", X>', "A {a: X; b: X}"],
    ['type A = { readonly [K in "a" | "b"]?: X }', "A {a?: X; b?: X}"],
    ["type A = [a: string, b?: number]", "A = tuple<string, number | undefined>"],
    ["type A = (x: string) => void", "A = function"],
    ['type A = | "a" /* why */ | ("b" | 3) | -1 | true', 'A "a" | "b" | 3 | -1 | true'],
    ["type A = 'it\\'s' | `plain` | \"\\u0041\"", 'A "it\'s" | "plain" | "A"'],
    ['type A = "a" | string | null; type B = true | false', "A = string | null", "B = boolean"],
    ["type A = ns.Other<string>", "A = ns.Other<string>"],
    // Names of the project take the place of those of the language.
    ['import { Map } from "immutable";\ntype A = Map<string, X>', "A = Map<string, X>"],
    ["type A = `id-${string}`", "A ? plait does not read ``id-${string}``"],
    ["type A = X extends Y ? 1 : 2", "A ? plait does not read `X extends Y ? 1 : 2`"],
  ]);
});

describe("interfaces and object types", () => {
  cases([
    [
      "interface A {\n  readonly a: string; // why\n  b?: number;\n  'c-d': X | null;\n  5: X\n}",
      "A {a: string; b?: number; c-d: X | null; 5: X}",
    ],
    // That a value is undefined is that it is not there.
    ["interface A { a: string | undefined; b?: string | undefined }", "A {a?: string; b?: string}"],
    [
      "interface A { run(x: X): void; go?: () => X; <T>(x: T): T; new (): A }",
      "A {run: function; go?: function}",
    ],
    ["interface A { run(): void; run(x: X): void; get b(): X; set b(x: X) }", "A {run: function; b: X}"],
    ["interface A { a: X; [key: string]: unknown }", "A {a: X; [string]?: any}"],
    ["interface A extends B, ns.C<string> { a: X }", "A < B, ns.C {a: X}"],
    ["interface A { a: X }\ninterface A extends B { b: X }", "A < B {a: X; b: X}"],
    ["interface A { [Symbol.iterator]: X; [KEY]: X }", "A {} … the name of a field is computed: `[KEY]`"],
    ["export default interface A { a: { b: X[] } }", "A {a: {b: list<X>}}", "default = A"],
    ["declare global { interface A { a: X } }", "A {a: X}"],
    [
      "namespace N { export type K = 'k'; export interface A { k: K; o: Other } }",
      'N.K "k"',
      "N.A {k: N.K; o: Other}",
    ],
    ["interface A { new: string; in?: X; import: X }", "A {new: string; in?: X; import: X}"],
    ["function f() { interface A { a: X } }", ...[]],
  ]);
});

describe("type parameters are unknown by their place, and nothing else is", () => {
  cases([
    [
      "interface A<T, U = T> { a: T[]; b?: U; c: X }",
      "A {a: list<?type parameter 1?>; b?: ?type parameter 2?; c: X}",
    ],
    [
      "type A<T> = { ok: true; value: T } | { ok: false }",
      "A = {ok: true; value: ?type parameter 1?} | {ok: false}",
    ],
    ["type A<T> = { [K in keyof T]: T[K] }", "A ? plait does not read `{ [K in keyof T]: T[K] }`"],
    ["interface P<T> { a: T }\ntype A = P<X>", "P {a: ?type parameter 1?}", "A = P<X>"],
  ]);
});

describe("what is made from types of the same file is taken apart", () => {
  const base = "interface B { a: X; b?: Y; c: 'p' | 'q' }\n";
  const one = (text: string, ...said: string[]): Case => [
    base + text,
    'B {a: X; b?: Y; c: "p" | "q"}',
    ...said,
  ];
  cases([
    one("type A = Partial<B>", 'A {a?: X; b?: Y; c?: "p" | "q"}'),
    one("type A = Required<Readonly<B>>", 'A {a: X; b: Y; c: "p" | "q"}'),
    one("type A = Pick<B, 'a' | 'b'>", "A {a: X; b?: Y}"),
    one("type A = Omit<B, 'c'> & { d: Z }", "A {a: X; b?: Y; d: Z}"),
    one("type A = B & { d: Z }", 'A {a: X; b?: Y; c: "p" | "q"; d: Z}'),
    one("interface A extends Omit<B, 'c'> { d: Z }", "A {a: X; b?: Y; d: Z}"),
    one("type K = 'a' | 'b'\ntype A = Omit<B, K>", 'K "a" | "b"', 'A {c: "p" | "q"}'),
    one(
      "type A = B['c']; type D = B['b']; type E = B['zz']",
      'A "p" | "q"',
      "D = Y | undefined",
      'E = lookup<B, "zz">',
    ),
    one("type A = keyof B; type D = Exclude<B['c'], 'p'>", 'A "a" | "b" | "c"', 'D "q"'),
    one("interface C extends B { d: Z }\ntype A = Pick<C, 'a' | 'd'>", "C < B {d: Z}", "A {a: X; d: Z}"),
    one("type A = { id: X } & ({ k: 'a' } | { k: 'b' })", 'A = {id: X; k: "a"} | {id: X; k: "b"}'),
    one("type A = string & { __brand: 'A' }; type D = 'x' | (string & {})", "A = string", "D = string"),
    one("type A = { a: X; next: Partial<A> }", "A {a: X; next: Partial<A>}"),
  ]);
});

describe("what rests on other files keeps their names", () => {
  const imports = 'import { B, type C } from "./b.js";\n';
  cases([
    [`${imports}type A = B & { d: Z }`, "A < B {d: Z}"],
    [`${imports}type A = Partial<B>`, "A = Partial<B>"],
    [`${imports}type A = Omit<B, "x"> & { d: Z }`, 'A = intersection<Omit<B, "x">, {d: Z}>'],
    [`${imports}interface A extends Pick<B, "x"> {}`, 'A = Pick<B, "x">'],
    [`${imports}type A = C["x"][number]`, 'A = lookup<lookup<C, "x">, number>'],
    [`${imports}type A = (typeof B)[number]; type D = (typeof C)[keyof typeof C]`, "A = B", "D = C"],
    [
      `${imports}type A = z.infer<typeof B>; type D = z.input<typeof B>`,
      "A = B",
      "D ? plait does not read `z.input<typeof B>`",
    ],
  ]);
});

describe("classes", () => {
  cases([
    [
      "@Entity()\nexport class A extends B<X> implements C {\n  @IsString() @Length(1, 2)\n  readonly a!: string;\n  b?: X;\n}",
      "A < B {a: string; b?: X}",
    ],
    [
      "class A { private a: X; protected b: X; #c = 1; static d: X; public e: X; declare f?: X }",
      "A {e: X; f?: X}",
    ],
    // A default is one for who writes: who reads always finds the field.
    [
      "class A { a = 'x'; b: number = 3; c = new Date(); d = make() }",
      "A {a~: string; b~: number; c~: datetime; d~: ?make()?}",
    ],
    [
      "class A { constructor(readonly a: string, public b?: X, readonly c = 3, private d: X, e: X) {} }",
      "A {a: string; b?: X; c~: number}",
    ],
    [
      "class A { a: X; m() {} get g(): X { return x } f = () => 1 }",
      "A {a: X; +m: function; +g: X; +f: function}",
    ],
    ["class A { @IsOptional() a: number = 1; @ApiPropertyOptional() b: X }", "A {a?~: number; b?: X}"],
    ["abstract class A { abstract a: X; abstract m(): void }", "A {a: X; +m: function}"],
    [
      "class B { a: X; b: Y }\nclass A extends PartialType(OmitType(B, ['b'] as const)) { c: Z }",
      "B {a: X; b: Y}",
      "A {a?: X; c: Z}",
    ],
    ['import { B } from "./b";\nclass A extends PartialType(B) {}', "A = Partial<B>"],
    [
      'import { B } from "./b";\nclass A extends PartialType(B) { c: Z }',
      "A = intersection<Partial<B>, {c: Z}>",
    ],
    ["class A extends mixin(B) { a: X }", "A {a: X} … it extends `mixin(B)`, which plait does not read"],
    [
      "@Entity()\nexport class A {\n  @Column() a: string;\n  @OneToMany(() => B, (b) => b.a) bs: B[];\n}",
      "A {a: string; +bs: list<B>}",
    ],
    ["export default class { a: X }", ...[]],
  ]);
  cases(
    [
      [
        "export class A extends B { a = 1; b; constructor() { this.c = 1 } }",
        "A < B {a~: number; b: any} … its constructor may add fields",
      ],
    ],
    "javascript",
  );
});

describe("enums and constants are their values", () => {
  cases([
    ["enum A { X = 'x', Y = \"y\" }", 'A "x" | "y"'],
    ["export const enum A { X, Y = 5, Z, W = 'w' }", 'A 0 | 5 | 6 | "w"'],
    ["declare enum A { R = 1 << 0, W = 1 << 1, All = R | A.W, N = ~1 }", "A 1 | 2 | 3 | -2"],
    ["enum A { X = f(), Y }", "A X = f() | Y = …"],
    ["enum E { X = 'x', Y = 'y' }\ninterface A { e: E; x: E.X }", 'E "x" | "y"', 'A {e: E; x: "x"}'],
    ["const A = { X: 'x', Y: 'y' } as const;\ntype A = (typeof A)[keyof typeof A]", 'A "x" | "y"'],
    [
      "const xs = ['x', 'y'] as const satisfies readonly string[];\ntype A = typeof xs[number]",
      'xs "x" | "y"',
      'A "x" | "y"',
    ],
    ["const o = Object.freeze({ X: 1 });\ntype A = keyof typeof o", "o 1", 'A "X"'],
    // Without `as const` the values are of any text.
    ["const o = { X: 'x' };\ntype A = (typeof o)[keyof typeof o]", "A = string"],
    ["const o = { X: f() } as const;\ntype A = typeof o", "A ? plait does not read `typeof o`"],
    ["type A = typeof users.$inferSelect", "A ? plait does not read `typeof users.$inferSelect`"],
    ["const a = 1;\nexport { o as A };\nconst o = ['x'] as const", "A = o", 'o "x"'],
  ]);
});

describe("schemas of Zod", () => {
  const zod = 'import * as z from "zod";\n';
  const one = (text: string, ...said: string[]): Case => [zod + text, ...said];
  const field = (text: string, said: string): Case =>
    one(`const a = z.object({ x: ${text} })`, `a {x${said}}`);
  cases([
    field("z.string().min(1).trim()", ": string"),
    field("z.email()", ": string"),
    field("z.iso.datetime()", ": string"),
    field("z.coerce.number().int()", ": number"),
    field("z.date()", ": datetime"),
    field("z.bigint()", ": integer"),
    field("z.string().optional()", "?: string"),
    field("z.string().nullable().exactOptional()", "?: string | null"),
    field("z.string().nullish()", "?: string | null"),
    field("z.number().default(3)", "~: number"),
    field("z.number().optional().default(3)", "~: number"),
    field("z.enum(['p', 'q'])", ': "p" | "q"'),
    field("z.enum(['p', 'q', 'r']).exclude(['q'])", ': "p" | "r"'),
    field("z.enum({ P: 'p', Q: 'q' })", ': "p" | "q"'),
    field("z.literal(['p', 3])", ': "p" | 3'),
    field("z.literal(true).or(z.null())", ": true | null"),
    field("z.array(z.string()).min(1)", ": list<string>"),
    field("z.object({ y: z.string() }).array()", ": list<{y: string}>"),
    field("z.tuple([z.string(), z.number()])", ": tuple<string, number>"),
    field("z.record(z.string(), z.number())", ": map<string, number>"),
    field("z.record(z.enum(['p']), z.number())", ": {p: number}"),
    field("z.union([z.string(), z.null()])", ": string | null"),
    field("z.optional(z.nullable(z.string()))", "?: string | null"),
    field("z.string().refine((s) => s !== '').describe('x').brand<'X'>()", ": string"),
    field("z.string().transform(Number)", ": ?z.string().transform(Number)?"),
    field("z.string().transform(Number).pipe(z.number())", ": number"),
    field("z.preprocess(Number, z.number())", ": number"),
    field("z.custom<Date>()", ": datetime"),
    field("z.lazy(() => z.string())", ": string"),
    field("z.templateLiteral(['a', z.string()])", ": ?z.templateLiteral(['a', z.string()])?"),
    field("make()", "~: ?make()?"),
    field("z.looseObject({ y: z.string() })", ": {y: string; [string]?: any}"),
    field("z.object({ y: z.string() }).catchall(z.number()).strict()", ": {y: string}"),
    one(
      "const base = z.object({ p: z.string(), q: z.number().optional() });\nconst a = base.extend({ r: z.string() }).omit({ p: true })",
      "base {p: string; q?: number}",
      "a {q?: number; r: string}",
    ),
    one(
      "const base = z.object({ p: z.string(), q: z.number() });\nconst a = base.partial({ q: true }); const b = base.pick({ p: true }).required()",
      "base {p: string; q: number}",
      "a {p: string; q?: number}",
      "b {p: string}",
    ),
    one(
      "const base = z.object({ p: z.string() });\nconst a = z.object({ ...base.shape, base, one: base.shape.p, get many() { return z.array(base) } })",
      "base {p: string}",
      "a {p: string; base: {p: string}; one: string; many: list<{p: string}>}",
    ),
    one(
      "const fields = { p: z.string() };\nconst a = z.object(fields).merge(z.object({ q: z.string() }))",
      "a {p: string; q: string}",
    ),
    one(
      "export const B = z.object({ p: z.string() });\nconst a = z.object({ b: B, bs: z.array(B).optional() })",
      "B {p: string}",
      "a {b: B; bs?: list<B>}",
    ),
    one(
      "const b = z.object({ p: z.string() });\ntype B = z.infer<typeof b>;\nconst a = z.object({ b })",
      "b {p: string}",
      "B {p: string}",
      "a {b: B}",
    ),
    one(
      "enum E { X = 'x' }\nconst xs = ['x'] as const;\nconst a = z.object({ e: z.enum(E), n: z.nativeEnum(E), xs: z.enum(xs), l: z.literal(E.X) })",
      'E "x"',
      'xs "x"',
      'a {e: E; n: E; xs: "x"; l: "x"}',
    ),
    one(
      "const a = z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })])",
      'a = {k: "a"} | {k: "b"}',
    ),
    // What comes out has the default, what goes in may be without it; the schema is both.
    one(
      "export const A = z.object({ p: z.string().default('x') });\ntype A = z.infer<typeof A>;\ntype In = z.input<typeof A>",
      "A {p: string}",
      "In {p?: string}",
    ),
    one(
      "const tree = z.object({ name: z.string(), children: z.lazy(() => tree.array()) });\ntype Tree = z.infer<typeof tree>",
      "tree {name: string; children: list<Tree>}",
      "Tree {name: string; children: list<Tree>}",
    ),
    one(
      "const parsed = z.object({}).parse(x); const s = createInsertSchema(users);\ntype S = z.infer<typeof s>",
      "S ? plait does not read `z.infer<typeof s>`",
    ),
    [
      'import { z as v } from "zod/v4";\nimport { b } from "./b";\nconst a = v.object({ b, bs: b.array() }); const c = b.partial(); const d = b.extend({ q: v.string() })',
      "a {b~: b; bs: list<b>}",
      "c = Partial<b>",
      "d = intersection<b, {q: string}>",
    ],
    one(
      "class A extends createZodDto(a) {}\nconst a = z.object({ p: z.string() })",
      "A {p: string}",
      "a {p: string}",
    ),
  ]);
  cases(
    [['const { z } = require("zod");\nconst A = z.object({ p: z.string() })', "A {p: string}"]],
    "javascript",
  );
});

test("lines are those of names, and a comment says where a contract wants a type", async () => {
  const text =
    "/* x */\n\n// src/a.ts\nexport interface A {\n  // why\n  a: X;\n\n  b: X\n}\n// src/b.ts: the rest\nenum B { X }\n";
  const types = await typesIn(text);
  const fields = types.flatMap(({ shape }) => (shape.kind === "fields" ? shape.fields : []));
  expect(types.map(({ name, line, home, sort }) => [name, line, home, sort])).toEqual([
    ["A", 4, "src/a.ts", "interface"],
    ["B", 11, "src/b.ts", "enum"],
  ]);
  expect(fields.map(({ line }) => line)).toEqual([6, 8]);
});

test("a text that is nested or long without end is read in moments", async () => {
  const deep = `type A = ${"{ a: ".repeat(1000)}X${" }".repeat(1000)}`;
  const long = `type A = ${Array.from({ length: 2000 }, (_, i) => `"v${i}"`).join(" | ")}`;
  const chain = `const a = z.object({ x: z.string()${".min(1)".repeat(2000)} })`;
  const twice = Array.from({ length: 40 }, (_, i) => `const c${i + 1} = z.union([c${i}, c${i}.array()]);`);
  const [longOne] = await typesIn(long);
  expect(longOne?.shape.kind === "values" && longOne.shape.values.length).toBe(2000);
  expect(said(await typesIn(deep))[0]).toMatch(/^A \{a: \{a: /);
  const types = Array.from(
    { length: 3000 },
    (_, i) => `type A${i + 1} = { l: Partial<A${i}>; r: Partial<A${i}> };`,
  );
  for (const text of [chain, types.toReversed().join("\n"), `const c0 = z.string();\n${twice.join("\n")}`])
    await typesIn(text);
});
