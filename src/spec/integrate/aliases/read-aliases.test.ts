import { expect, test } from "vitest";
import { moduleResolver } from "../modules.ts";
import { readAliases } from "./read-aliases.ts";

const files: Readonly<Record<string, string>> = {
  "tsconfig.base.json": `{
    // as editors write it
    "compilerOptions": { "paths": { "@acme/users": ["libs/users/src/index.ts"], "@libs/*": ["libs/*/src"] }, /* "x" */ },
  }`,
  "apps/api/tsconfig.json": '{ "extends": "../../tsconfig.base", "compilerOptions": { "target": "es2022" } }',
  "apps/web/tsconfig.json":
    '{ "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["*"], "@lib/*": ["lib/*", "old/*"], "express": ["types/express"] } } }',
  "apps/broken/tsconfig.json": '{ "compilerOptions": ',
  "apps/round/tsconfig.json":
    '{ "extends": "./tsconfig.json", "compilerOptions": { "paths": { "~x": [1, null] } } }',
  "apps/node/package.json":
    '{ "name": "node", "imports": { "#db": { "types": "./x.d.ts", "default": "./dist/db.js" }, "#r/*": "./src/routes/*" }, "_moduleAliases": { "@root": "." } }',
  "packages/core/package.json":
    '{ "name": "@acme/core", "exports": { ".": { "import": "./dist/index.js" }, "./http": "./dist/http/main.js" } }',
  "apps/deno/deno.json": '{ "imports": { "@/": "./lib/", "hono": "npm:hono@4" } }',
};
const code = [
  ...["libs/users/src/index.ts", "libs/orders/src/index.ts", "apps/web/src/a.ts", "apps/web/src/lib/b.ts"],
  ...[
    "apps/web/src/old/c.ts",
    "apps/web/src/types/express.d.ts",
    "apps/node/src/db.ts",
    "apps/deno/lib/e.ts",
  ],
  ...["apps/node/src/routes/users.ts", "apps/node/x.d.ts", "packages/core/src/index.ts"],
  ...["packages/core/src/http/main.ts", "packages/core/src/other.ts", "apps/node/dist/db.js"],
];
const paths = [...Object.keys(files), ...code];

test.each([
  ["@acme/users", "apps/api/src/main.ts", "libs/users/src/index.ts"],
  ["@libs/orders", "apps/api/src/main.ts", "libs/orders/src/index.ts"],
  ["@/a", "apps/web/src/lib/b.ts", "apps/web/src/a.ts"],
  ["@lib/b.js", "apps/web/src/a.ts", "apps/web/src/lib/b.ts"],
  ["@lib/c", "apps/web/src/a.ts", "apps/web/src/old/c.ts"],
  ["lib/b", "apps/web/src/a.ts", "apps/web/src/lib/b.ts"],
  ["@lib/b", "apps/api/src/main.ts", null],
  ["express", "apps/web/src/a.ts", null], // only declared there
  ["~x", "apps/round/a.ts", null],
  ["#db", "apps/node/src/main.ts", "apps/node/src/db.ts"],
  ["#r/users.js", "apps/node/src/main.ts", "apps/node/src/routes/users.ts"],
  ["@root/src/db", "apps/node/src/main.ts", "apps/node/src/db.ts"],
  ["@acme/core", "apps/node/src/main.ts", "packages/core/src/index.ts"],
  ["@acme/core/http", "apps/node/src/main.ts", "packages/core/src/http/main.ts"],
  ["@acme/core/other", "apps/node/src/main.ts", "packages/core/src/other.ts"],
  ["@/e.ts", "apps/deno/main.ts", "apps/deno/lib/e.ts"],
  ["hono", "apps/deno/main.ts", null],
])("%s in %s is %s", async (from, importer, path) => {
  const aliases = await readAliases({ paths, read: async (one) => files[one] ?? null });
  expect(moduleResolver(paths, aliases)(from, importer)).toBe(path);
});
