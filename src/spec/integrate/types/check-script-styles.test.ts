import { describe, expect, test } from "vitest";
import { checked, type Texts } from "../../../../test/support/check-script-types.ts";

const ZOD = 'import { z } from "zod";\n';

describe("as people write it, and as the contract says", () => {
  test.each<[string, string, string | Texts]>([
    [
      "schemas without types that are made from them",
      "export interface User { id: string; age?: number }\nexport interface UserCreate { age?: number }",
      `${ZOD}export const UserSchema = z.object({ id: z.uuid(), age: z.number().optional() });
        export const userCreateSchema = UserSchema.omit({ id: true });`,
    ],
    [
      "a schema in the contract, and only its type in the code",
      `${ZOD}export const UserSchema = z.object({ id: z.string() });\nexport type User = z.infer<typeof UserSchema>;`,
      "export interface User { id: string }",
    ],
    [
      "what the contract does not export, under another name",
      "interface Line { text: string }\nexport interface Invoice { lines: Line[] }\nexport default Invoice;",
      "export interface InvoiceLine { text: string }\nexport interface Invoice { lines: InvoiceLine[] }",
    ],
    [
      "brands",
      'export type Id = string & { readonly __brand: "Id" };\nexport type No = number & { readonly __brand: "No" };',
      'declare const brand: unique symbol;\nexport type Id = string & { readonly [brand]: "Id" };\nexport type No = { readonly [brand]: 1 } & number;',
    ],
    [
      "a record by the values of a type, which may stand elsewhere",
      'export type K = "a" | "b";\nexport interface X { m: Record<K, number>; p: { [k in K]?: string }; q: Partial<Record<K, string>> }\nexport type Y = Record<K, number>',
      {
        "src/k.ts": 'export enum K { A = "a", B = "b" }',
        "src/x.ts":
          'import { K } from "./k.js";\nexport interface X { m: { a: number; b: number }; p: Partial<Record<K, string>>; q: { a?: string; b?: string } }\nexport interface Y { a: number; b: number }',
      },
    ],
    [
      "a type that is handed on by default, under another name",
      "export interface U { id: string }\nexport interface A { id: string; more: string[] }\nexport default U;",
      {
        "src/u.ts": "interface U { id: string }\nexport default U;",
        "src/a.ts": 'import type Base from "./u";\nexport type A = Base & { more: string[] };',
      },
    ],
    [
      "a type parameter with more",
      "export interface U { id: string }\nexport type With<T> = T & { at: string };\nexport type A = With<U>;",
      "export interface U { id: string }\nexport type With<X> = X & { at: string };\nexport interface A extends U { at: string }",
    ],
    [
      "the contract itself, imported and handed on",
      "export interface A { a: string }\nexport interface B { b: string }",
      {
        "src/a.ts":
          'export type { A } from "../parallel/x/contracts/types";\nimport type { B } from "../parallel/x/contracts/types.js";\nexport const b: B[] = [];',
      },
    ],
    [
      "schemas of TypeBox, with options and over files",
      'export type Kind = "a" | "b";\nexport interface User { id: string; kind: Kind; tags: string[]; age?: number; boss: User["id"] | null; more: Record<string, unknown> }\nexport interface UserCreate { kind: Kind; age?: number }\nexport interface UserPatch { kind?: Kind; age?: number }',
      {
        "src/kind.ts":
          'import { Type, type Static } from "@sinclair/typebox";\nexport const Kind = Type.Union([Type.Literal("a"), Type.Literal("b")], { $id: "Kind" });\nexport type Kind = Static<typeof Kind>;',
        "src/user.ts": `import { Type, type Static as Of } from "@sinclair/typebox";
          import { Kind } from "./kind";
          export const User = Type.Object({
            id: Type.Readonly(Type.String({ format: "uuid" })), kind: Kind, tags: Type.Array(Type.String(), { maxItems: 3 }),
            age: Type.Optional(Type.Integer({ minimum: 0 })), boss: Type.Union([Type.String(), Type.Null()]),
            more: Type.Record(Type.String(), Type.Unknown()),
          }, { additionalProperties: false });
          export type User = Of<typeof User>;
          export const UserCreate = Type.Pick(User, ["kind", "age"]);
          export type UserCreate = Of<typeof UserCreate>;
          export const UserPatch = Type.Partial(Type.Composite([UserCreate, Type.Object({})]), { $id: "UserPatch" });
          export type UserPatch = Of<typeof UserPatch>;`,
      },
    ],
    [
      "classes and interfaces by the names that frameworks and people give them",
      "export interface CreateUser { name: string }\nexport interface User { id: string }",
      "export class CreateUserDto { name!: string }\nexport interface IUser { id: string }",
    ],
    [
      "anything, which some versions of Zod let be left out",
      "export interface A { x?: unknown; y: unknown }",
      `${ZOD}export const A = z.object({ x: z.unknown(), y: z.any() });\nexport type A = z.infer<typeof A>;`,
    ],
    [
      "a decorator that is there for null",
      "export interface A { age: number | null; name?: string }",
      "export class A { @IsOptional() @IsInt() age: number | null; @IsOptional() name: string }",
    ],
  ])("%s", async (_, contract, code) =>
    expect(await checked(contract, typeof code === "string" ? { "src/a.ts": code } : code)).toEqual([]),
  );
});

describe("plain mistakes are found, and told where they were made", () => {
  test.each<[string, string, string | Texts, ...string[]]>([
    [
      "a record that lacks one",
      'export type K = "a" | "b";\nexport type Y = Record<K, number>',
      '\nexport type K = "a" | "b";\nexport type Y = Record<"a" | "c", number>;',
      "Y must field-missing src/a.ts:3 `b: number` is missing",
      "Y must field-extra src/a.ts:3 `c` is not in the contract",
    ],
    [
      "values that may be left out",
      'export type K = "a" | "b";\nexport interface X { p: Record<K, string> }',
      'export type K = "a" | "b";\nexport interface X { p: Partial<Record<K, string>> }',
      "X must field-type src/a.ts:2 `p` is `{ a?: string; b?: string }` in the code, `Record<K, string>` in the contract",
    ],
    [
      "made from a type of another file that is right",
      'export interface U { id: string; name: string }\nexport type P = Partial<Omit<U, "id">>;\nexport type N = Omit<U, "id">;',
      {
        "src/u.ts": "\nexport interface U { id: string; name: string }",
        "src/p.ts":
          'import { U } from "./u";\nexport type P = Omit<U, "id">;\nexport type N = U;\nexport type M = U;',
      },
      "P must field-optional src/p.ts:2 `name` (from src/u.ts:2) is required in the code, optional in the contract",
      "N must field-extra src/u.ts:2 `id` is not in the contract",
    ],
    [
      "a schema that may be meant",
      "export interface User { id: string; name: string }",
      `${ZOD}export const userSchema = z.object({ id: z.string() });`,
      "User unclear type-unclear not declared in any file; unclear whether `userSchema` in src/a.ts:2 is meant: `name: string` is missing in `userSchema`",
    ],
    [
      "a schema of TypeBox that lacks a field, and one of another type",
      "export interface A { id: string; n: number; at?: string }",
      'import { Type, type Static } from "typebox";\nexport const A = Type.Object({\n  n: Type.Array(Type.Number()),\n  at: Type.String(),\n});\nexport type A = Static<typeof A>;',
      "A must field-missing src/a.ts:6 `id: string` is missing",
      "A must field-type src/a.ts:3 `n` is `number[]` in the code, `number` in the contract",
      "A must field-optional src/a.ts:4 `at` is required in the code, optional in the contract",
    ],
    [
      "a class for data that may be meant",
      "export interface CreateUser { name: string; age: number }",
      "export class CreateUserDto { name!: string }",
      "CreateUser unclear type-unclear not declared in any file; unclear whether `CreateUserDto` in src/a.ts:1 is meant: `age: number` is missing in `CreateUserDto`",
    ],
    [
      "a column besides",
      "export interface User { id: string; name: string }",
      "@Entity()\nexport class User {\n  @Column() id: string;\n  @Column() hash: string;\n}",
      "User must field-missing src/a.ts:2 `name: string` is missing",
      "User should field-extra src/a.ts:4 column `hash` is not in the contract",
    ],
    [
      "two of a name, and both wrong",
      "export interface User { id: string }",
      {
        "a/user.ts": "export interface User { id: bigint }",
        "b/user.ts": "export interface User { no: string }",
      },
      "User must type-missing a/user.ts:1 several types have this name, and none matches the contract: `User` in a/user.ts:1 (`id` is `bigint` in the code, `string` in the contract), `User` in b/user.ts:1 (`id: string` is missing)",
    ],
    [
      "many of a name",
      "export interface U { id: string }",
      Object.fromEntries(["a", "b", "c", "d", "e"].map((one) => [`${one}/u.ts`, "export interface U {}"])),
      "U must type-missing a/u.ts:1 several types have this name, and none matches the contract: `U` in a/u.ts:1 (`id: string` is missing), `U` in b/u.ts:1 (`id: string` is missing), `U` in c/u.ts:1 (`id: string` is missing), and 2 more",
    ],
    [
      "what is not exported, where it is there and wrong",
      "interface Line { text: string }\nexport interface Invoice { lines: Line[] }",
      "export interface Line { text: number }\nexport interface Invoice { lines: Line[] }",
      "Line must field-type src/a.ts:1 `text` is `number` in the code, `string` in the contract",
    ],
  ])("%s", async (_, contract, code, ...said) =>
    expect(await checked(contract, typeof code === "string" ? { "src/a.ts": code } : code)).toEqual(said),
  );
});
