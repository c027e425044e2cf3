import { expect, test } from "vitest";
import { checkContractsAgree } from "./check-contracts-agree.ts";

const API = `openapi: 3.0.3
info: { title: Shop, version: "1" }
paths: {}
components:
  schemas:
    Status: { type: string, enum: [open, done] }
    Order:
      type: object
      required: [id, orderDate, lines, total]
      properties:
        id: { type: string }
        orderDate: { type: string, format: date-time }
        lines: { type: array, items: { $ref: "#/components/schemas/Line" } }
        total: { type: integer }
        note: { type: string, nullable: true }
    Line:
      type: object
      required: [sku]
      properties: { sku: { type: string } }
    OnlyHere: { type: object, properties: { a: { type: string } } }
`;

async function check(path: string, text: string, api = API): Promise<string[]> {
  const found = await checkContractsAgree(
    { types: { path, file: path, text }, api: { path: "contracts/api-schema.yaml", file: "api", text: api } },
    "warning",
  );
  return found.map(({ at, severity, message, related }) => {
    const other = related[0]?.at;
    return `${at?.file}:${at?.start.line} ${other?.file}:${other?.start.line} ${severity} ${message}`;
  });
}

test("types that say the same in their own words agree: names by convention, dates as each writes them, integers", async () => {
  const script = `export type Status = "open" | "done";
export interface Order { id: string; orderDate: string; lines: Line[]; total: number; note?: string | null }
export type Line = { sku: string };
export type Elsewhere = { b: string };
`;
  const python = `from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class Status(str, Enum):
    OPEN = "open"
    DONE = "done"


@dataclass
class Line:
    sku: str


@dataclass
class Order:
    id: str
    order_date: datetime
    lines: list[Line]
    total: int
    note: str | None = None
`;
  expect(await check("contracts/types.ts", script)).toEqual([]);
  expect(await check("contracts/types.py", python)).toEqual([]);
});

test("fields, types, values and what can be left out that differ are named, at both places", async () => {
  const script = `export type Status = "open" | "closed";
export interface Order {
  id: number;
  orderDate: string;
  lines: Line;
  total?: number;
  archived: boolean;
}
export type Line = { sku: string };
`;
  const found = await check("contracts/types.ts", script);
  expect(found).toEqual([
    expect.stringMatching(/^contracts\/types\.ts:1 api:6 warning `Status`: .*"done"/),
    expect.stringMatching(/:1 api:6 warning `Status`: .*"closed"/),
    expect.stringMatching(/:3 api:7 warning `Order`: .*`id`/),
    expect.stringMatching(/:5 api:7 warning `Order`: .*`lines`/),
    expect.stringMatching(/:6 api:7 warning `Order`: .*`total`.*optional/),
    expect.stringMatching(/:2 api:7 warning `Order`: .*`note/),
    expect.stringMatching(/:7 api:7 warning `Order`: .*`archived`/),
  ]);
  expect(found.join("\n")).toContain("in the contract");
});

test("what cannot be read says nothing", async () => {
  expect(await check("contracts/types.ts", "export type Line = {")).toEqual([]);
  expect(await check("contracts/types.go", "package x\ntype Line struct { A int }\n")).toEqual([]);
  expect(await check("contracts/types.ts", "export type Line = {};", "swagger: 2\n")).toEqual([]);
});
