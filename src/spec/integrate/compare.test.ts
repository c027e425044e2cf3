import { expect, test } from "vitest";
import { compareContracts } from "./compare.ts";
import type { SourceProject } from "./project.ts";

const projectOf = (files: Readonly<Record<string, string>>): SourceProject => ({
  paths: Object.keys(files).sort(),
  read: async (path) => files[path] ?? null,
});

const API = (paths: string) => `openapi: 3.0.3\ninfo: { title: T, version: "1" }\npaths:\n${paths}`;
const PING = '  /ping:\n    get:\n      responses: { "200": { description: ok } }\n';

async function compare(
  contracts: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
) {
  const { types, endpoints, findings } = await compareContracts({
    project: projectOf(files),
    contracts: Object.entries(contracts).map(([path, text]) => ({ path, file: `parallel/x/${path}`, text })),
    touched: new Set(Object.keys(files)),
    before: async () => projectOf(before),
  });
  const said = (verdicts: typeof types) => verdicts?.map(({ about, status }) => `${about} ${status}`) ?? null;
  const about = findings.map(({ weight, code, at, message }) => `${weight} ${code} ${at?.line}: ${message}`);
  return { types: said(types), endpoints: said(endpoints), about };
}

test("a contract that does not parse is named with its line, and nothing is compared with it", async () => {
  const wrong = await compare(
    {
      "contracts/types.py": "class A:\n    x: (int\n",
      "contracts/api-schema.yaml": "openapi: 3.0.3\n paths: [\n",
    },
    { "app.py": "x = 1\n" },
  );
  expect(wrong).toMatchObject({ types: null, endpoints: null });
  expect(wrong.about).toEqual([
    expect.stringMatching(/^must contract-unreadable \d: not compared: /),
    expect.stringMatching(/^must contract-unreadable \d: /),
  ]);
});

test("what is missing is told where the contract asks for it", async () => {
  const { types, endpoints } = await compareContracts({
    project: projectOf({ "app.py": "from fastapi import FastAPI\n\napp = FastAPI()\n" }),
    contracts: [
      { path: "contracts/types.py", file: "p/types.py", text: "\nclass A:\n    x: int\n" },
      { path: "contracts/api-schema.yaml", file: "p/api.yaml", text: API(PING) },
    ],
    touched: new Set(),
    before: async () => null,
  });
  const places = [...(types ?? []), ...(endpoints ?? [])].flatMap(({ findings }) => findings);
  expect(places.map(({ code, at }) => `${code} ${at?.file}:${at?.line}`)).toEqual([
    "type-missing p/types.py:2",
    "endpoint-missing p/api.yaml:5",
  ]);
});

test("of types that the code cannot declare, nothing is said to be missing", async () => {
  const contracts = {
    "contracts/types.ts": "export type A = { x: number };\n",
    "contracts/types.go": "package c\n",
  };
  const { types, about } = await compare(contracts, { "src/a.js": "export const a = 1;\n", "x.test.ts": "" });
  expect(types).toBeNull();
  expect(about).toEqual([
    "unclear type-unclear null: not compared: the code is JavaScript, which declares no types",
    "unclear type-unclear null: not compared: plait does not read Go types",
  ]);
  const beside = await compare(contracts, { "src/a.js": "export const a = 1;\n", "src/env.d.ts": "" });
  expect(beside.types).toBeNull();
  const written = { "src/a.ts": "export const a = 1;\n", "src/types.d.ts": "interface A { x: number }\n" };
  expect((await compare(contracts, written)).types).toEqual(["A ok"]);
  const typed = await compare(contracts, { "src/a.ts": "export const a = 1;\n" });
  expect(typed.types).toEqual(["A missing"]);
});

test("what may stand in a file that does not parse is not missing; an unknown framework cannot be told", async () => {
  const contracts = {
    "contracts/types.py": "class A:\n    x: int\n",
    "contracts/api-schema.yaml": API(PING),
  };
  const found = await compare(contracts, { "a.py": "class A:\n    x: int\n", "b.py": "def f(:\n" });
  expect(found).toEqual({ types: ["A ok"], endpoints: ["GET /ping unclear"], about: [] });
  const lost = await compare(contracts, { "b.py": "class A(:\n" });
  expect(lost.types).toEqual(["A unclear"]);
});

test("endpoints that were there before anybody began are nobody's concern", async () => {
  const app = (route: string) =>
    `from fastapi import FastAPI\napp = FastAPI()\n@app.get("/ping")\ndef ping(): ...\n${route}`;
  const old = '@app.get("/old")\ndef old(): ...\n';
  const fresh = '@app.get("/new")\ndef new(): ...\n';
  const contracts = { "contracts/api-schema.yaml": API(PING) };
  const found = await compare(contracts, { "main.py": app(old + fresh) }, { "main.py": app(old) });
  expect(found.endpoints).toEqual(["GET /ping ok", "GET /new extra"]);
});

test("packages of one repository import each other by their names", async () => {
  const contracts = {
    "contracts/types.ts": "export interface U { id: string }\nexport interface T extends U { n: U }\n",
  };
  const files = {
    "package.json": '{ "workspaces": ["packages/*"] }',
    "packages/shared/package.json": '{ "name": "@x/shared", "main": "./lib/all.ts" }',
    "packages/shared/lib/all.ts": 'export * from "./u";\n',
    "packages/shared/lib/u.ts": "export interface U { id: string }\n",
    "packages/api/package.json": "{",
    "packages/api/t.ts": 'import type { U } from "@x/shared";\nexport interface T extends U { n: U }\n',
  };
  expect((await compare(contracts, files)).types).toEqual(["U ok", "T ok"]);
  const { "packages/shared/package.json": _, ...without } = files;
  expect((await compare(contracts, without)).types).toEqual(["U ok", "T unclear"]);
});

test("a router is found behind a name that the project gives to its files", async () => {
  const { endpoints } = await compare(
    { "contracts/api-schema.yaml": API(PING) },
    {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@app/*": ["./src/app/*"] } } }',
      "src/main.ts": 'import express from "express";\nimport r from "@app/r";\nexpress().use("/ping", r);\n',
      "src/app/r.ts": 'import { Router } from "express";\nexport default Router().get("/", h);\n',
    },
  );
  expect(endpoints).toEqual(["GET /ping ok"]);
});
