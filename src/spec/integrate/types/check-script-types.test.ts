import { describe, expect, test } from "vitest";
import { doneFiles, projectFiles, typescript } from "../../../../test/spec/example-projects.ts";
import { checked, type Texts } from "../../../../test/support/check-script-types.ts";

describe("the example that is well done keeps its contract, and each break is named and nothing else", async () => {
  const design = JSON.parse(projectFiles(typescript)["design.json"] ?? "{}");
  const contract: string = design.contracts.types;
  const files = { ...projectFiles(typescript), ...doneFiles(typescript) };
  const sources = Object.fromEntries(Object.entries(files).filter(([path]) => /^src\/.*\.ts$/.test(path)));
  const transfers = "src/domain/transfers.ts";
  const broken = (path: string, text: string, instead: string): Texts => {
    const before = sources[path] ?? "";
    expect(before).toContain(text);
    return { ...sources, [path]: before.replace(text, instead) };
  };
  test("nothing", async () => expect(await checked(contract, sources)).toEqual([]));
  test.each<[string, string, string, ...string[]]>([
    [
      transfers,
      "  note?: string;\n",
      "",
      "Transfer must field-missing src/domain/transfers.ts:28 `note: string` is missing",
    ],
    [
      transfers,
      '  Return = "return",',
      '  Returned = "returned",',
      'TransferReason must value-missing src/domain/transfers.ts:3 value `"return"` is missing',
      'TransferReason must value-extra src/domain/transfers.ts:3 value `"returned"` is not in the contract',
    ],
    [
      transfers,
      '"received" | "cancelled";',
      '"received" | "canceled";',
      'TransferStatus must value-missing src/domain/transfers.ts:9 value `"cancelled"` is missing',
      'TransferStatus must value-extra src/domain/transfers.ts:9 value `"canceled"` is not in the contract',
    ],
    [
      transfers,
      "  carrier?: Carrier;",
      "  carrier: Carrier;",
      "Transfer must field-optional src/domain/transfers.ts:35 `carrier` is required in the code, optional in the contract",
    ],
    [
      transfers,
      "  received?: number;",
      "  received?: string;",
      "TransferLine must field-type src/domain/transfers.ts:14 `received` is `string` in the code, `number` in the contract",
    ],
    [
      transfers,
      "  trackingNumber?: string;",
      "  trackingNumber?: string;\n  phone?: string;",
      "Carrier must field-extra src/domain/transfers.ts:20 `phone` is not in the contract",
    ],
    [
      transfers,
      "note?: string | null;",
      "note?: string;",
      "TransferPatch must field-optional src/domain/transfers.ts:50 `note` is `string` in the code, `string | null` in the contract",
    ],
    [
      transfers,
      "  lines: { sku: string; quantity: number }[];",
      "  lines: TransferLine[];",
      "TransferRequest must field-type src/domain/transfers.ts:44 `lines` is `TransferLine[]` in the code, `{ sku: string; quantity: number }[]` in the contract",
    ],
    [
      transfers,
      '"dispatched"; at: string;',
      '"dispatched"; at: Date;',
      "TransferEvent must type-kind src/domain/transfers.ts:22 the type has `at: Date` instead of `at: string`",
    ],
    [
      transfers,
      "export interface ReceiptLine {",
      "export interface ReceiptRow {",
      "ReceiptLine must type-missing not declared in any file",
    ],
    [
      "src/domain/types.ts",
      "  capacity: number | null;",
      "  capacity?: number;",
      "CapacityReport must field-optional src/domain/types.ts:38 `capacity` is `number` in the code, `number | null` in the contract; optional in the code, required in the contract",
    ],
  ])("%s: %j as %j", async (path, text, instead, ...said) => {
    expect(await checked(contract, broken(path, text, instead))).toEqual(said);
  });
});

describe("the same, however it is written and wherever its parts stand", () => {
  const contract = `
    export enum State { Open = "open", Shut = "shut" }
    export interface Line { sku: string; count: number }
    export interface Order { id: string; at: Date; note?: string; state: State; lines: Line[]; extra: Record<string, unknown> }
    export interface OrderPatch { note?: string; state?: State }
    export interface OrderCreate { note?: string; lines: Line[] }`;
  const base = `
    export const states = ["open", "shut"] as const;
    export type State = (typeof states)[number];
    export interface Line { readonly sku: string; readonly count: number }
    export interface Order { id: string; at: Date; note: string | undefined; state: State; lines: readonly Line[]; extra: { [k: string]: unknown } }`;
  const imports = 'import type { Line, Order, State } from "./base.js";\n';
  test.each<[string, Texts]>([
    [
      "operations on types of another file",
      {
        "src/base.ts": base,
        "src/rest.ts": `${imports}export type OrderPatch = Partial<Pick<Order, "note" | "state">>;
          export interface OrderCreate extends Omit<Order, "id" | "at" | "state" | "extra"> {}`,
      },
    ],
    [
      "schemas of Zod, with types made from them",
      {
        "src/line.ts":
          'import { z } from "zod";\nexport const lineSchema = z.object({ sku: z.string(), count: z.number().int() });\nexport type Line = z.infer<typeof lineSchema>;',
        "src/order.ts": `import { z } from "zod";\nimport { lineSchema } from "./line.js";
          export const State = { Open: "open", Shut: "shut" } as const;
          export type State = (typeof State)[keyof typeof State];
          const order = z.object({ id: z.uuid(), at: z.coerce.date(), note: z.string().optional(), state: z.enum(State), lines: z.array(lineSchema), extra: z.record(z.string(), z.unknown()) });
          export type Order = z.infer<typeof order>;
          export type OrderPatch = z.infer<typeof patch>;
          const patch = order.pick({ note: true, state: true }).partial();
          export const OrderCreate = order.pick({ note: true, lines: true });`,
      },
    ],
    [
      "classes, one made from the other",
      {
        "src/base.ts": base.replace("export interface Order {", "export class Order {"),
        "src/rest.ts": `import { Order } from "./base.js";\nimport { PickType, PartialType } from "@nestjs/swagger";
          export class OrderPatch extends PartialType(PickType(Order, ["note", "state"] as const)) {}
          export class OrderCreate extends PickType(Order, ["note", "lines"] as const) { toString() { return ""; } }`,
      },
    ],
    [
      "types with parameters",
      {
        "src/base.ts": base,
        "src/part.ts":
          "export type Maybe<T> = T | undefined;\nexport interface Part<T, U> { note?: T; state: Maybe<U> }",
        "src/rest.ts": `${imports}import type { Part } from "./part.js";
          export type OrderPatch = Part<string, State>;
          type With<T> = { note?: string; lines: T[] };
          export interface OrderCreate extends With<Line> {}`,
      },
    ],
    [
      "handed on, under other names",
      {
        "src/base.ts": base,
        "src/names.ts":
          'import type { Order } from "./base.js";\nexport type Changes = { note?: Order["note"]; state?: Order["state"] };\ntype Made = { note?: string } & Pick<Order, "lines">;\nexport { Made as OrderCreate };',
        "src/index.ts":
          'export { type Changes as OrderPatch } from "./names.js";\nexport * from "./base.js";',
      },
    ],
  ])("%s", async (_, files) => expect(await checked(contract, files)).toEqual([]));
});

describe("what cannot be seen is said, and nothing is made up", () => {
  const contract = "export interface A { a: string; b?: number }";
  test.each<[string, ...string[]]>([
    [
      'import { B } from "lib";\nexport interface A extends B { a: string }',
      "A unclear type-unclear src/a.ts:2 `b: number` not found in the code, but its base `B` is not in the project",
    ],
    [
      'import { B } from "lib";\nexport type A = Omit<B, "c">',
      'A unclear type-unclear src/a.ts:2 the type is `Omit<B, "c">` in the code, a type with fields in the contract; unclear whether they are the same',
    ],
    [
      "export type A = Static<typeof schema>",
      "A unclear type-unclear src/a.ts:1 the type is `Static<typeof schema>` in the code, a type with fields in the contract; unclear whether they are the same",
    ],
    [
      "export class A { a = make(); b?: number }",
      "A unclear type-unclear src/a.ts:1 `a` is `make()` in the code, `string` in the contract; unclear whether they are the same",
    ],
    [
      "export class A { a: string; b = 3; private c: string; sum(): number { return 1 } get d() { return 1 } }",
    ],
    [
      "export class A { a: string; b?: number; static c: string; e: string }",
      "A must field-extra src/a.ts:1 `e` is not in the contract",
    ],
    [
      "export class A { a?: string; b?: number }",
      "A must field-optional src/a.ts:1 `a` is optional in the code, required in the contract",
    ],
    [
      "export type A = { a: string; b?: number; run(): void }",
      "A must field-extra src/a.ts:1 `run` is not in the contract",
    ],
    ["export const A = z.object({ a: z.string(), b: z.number().default(3) })"],
    [
      "export const A = z.object({ a: z.string().nullable(), b: z.number().transform(String).optional() })",
      "A must field-optional src/a.ts:1 `a` is `string | null` in the code, `string` in the contract",
      "A unclear type-unclear src/a.ts:1 `b` is `z.number().transform(String)` in the code, `number` in the contract; unclear whether they are the same",
    ],
    [
      "export type A = { a: string } | { b: number }",
      "A must type-kind src/a.ts:1 the type is `{ a: string } | { b: number }` in the code, a type with fields in the contract",
    ],
    [
      'export enum A { X = "x" }',
      'A must type-kind src/a.ts:1 the type is one of `"x"` in the code, a type with fields in the contract',
    ],
  ])("%s", async (text, ...said) => {
    expect(await checked(contract, { "src/a.ts": text })).toEqual(said);
  });
});
