import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { routeCases, scriptRoutes, told } from "../../../../test/support/script-routes.ts";

const folder = new URL("../../../../test/fixtures/script-routes/", import.meta.url);

describe.each(readdirSync(folder).toSorted())("routes of %s", (name) => {
  const cases = routeCases(readFileSync(new URL(name, folder), "utf8"));
  test.each(cases)("$title", async ({ files, said }) => {
    expect(told(await scriptRoutes(files))).toEqual(said);
  });
});

test("a route has the line of its method, also far down a chain", async () => {
  const text = 'import express from "express";\nexpress()\n  .get("/a", h)\n\n  .post("/b", h);\n';
  const { routes, frameworks } = await scriptRoutes({ "src/app.ts": text });
  expect(routes.map(({ path, file, line, framework }) => [path, file, line, framework])).toEqual([
    ["/a", "src/app.ts", 3, "Express"],
    ["/b", "src/app.ts", 5, "Express"],
  ]);
  expect(frameworks).toEqual(["Express"]);
});

test.each<[string, string]>([
  [
    "names that lead to each other",
    "const a = b, b = [...b, a]; for (const c of b) app.get(c, h); app.use(a, b);",
  ],
  [
    "functions that call themselves",
    "function f(x) { return f([f(x), ...x]); } app.use(f(app)); f({ app });",
  ],
  ["classes that extend themselves", "class A extends A { x = this.x; } app.use(new A().x.y.z);"],
  [
    "routers inside of each other",
    "const r = Router(), s = Router(); r.use(s); s.use('/s', r); r.get('/a', h);",
  ],
  [
    "texts that double",
    `let t0 = "/a";${[...Array(50).keys()].map((i) => `const t${i + 1} = t${i} + t${i};`).join("")}app.get(t50, h);`,
  ],
  ["loops in loops", `${"for (const x of [1, 2, 3, 4, 5, 6, 7, 8]) ".repeat(30)}app.get("/a", h);`],
  [
    "what is nested deeply",
    `app.use(${"f([".repeat(2000)}${"])".repeat(2000)}); const ${"[...".repeat(2000)}a${"]".repeat(2000)} = 1;`,
  ],
  ["a long chain", `app${".get('/a', h)".repeat(2000)};`],
])("%s come to an end", async (_, text) => {
  const top = 'import express, { Router } from "express";\nconst app = express();\n';
  expect((await scriptRoutes({ "x.ts": top + text })).frameworks).toEqual(["Express"]);
});
