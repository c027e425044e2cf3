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
