import { expect, test } from "vitest";
import { doneFiles, type Files, projectFiles, typescript } from "../../../../test/spec/example-projects.ts";
import { routeText, scriptRoutes } from "../../../../test/support/script-routes.ts";
import { languageOf } from "../../../syntax/language.ts";
import { isImplementation } from "../project.ts";
import { checkEndpoints, withoutFormer } from "./check-endpoints.ts";
import { operationsOf } from "./operations.ts";

const before = projectFiles(typescript);
const done: Files = { ...before, ...doneFiles(typescript) };
const text = JSON.parse(done["design.json"] as string).contracts.api_schema as string;
const { operations } = operationsOf({ path: "api-schema.yaml", file: "api-schema.yaml", text });

const routesOf = (files: Files) =>
  scriptRoutes(
    Object.fromEntries(
      Object.entries(files).filter(([path]) => languageOf(path) !== null && isImplementation(path)),
    ),
  );

/** Every finding, as `code about file:line: message`. */
async function findings(changes: Files): Promise<string[]> {
  const touched = new Set(Object.keys(doneFiles(typescript)));
  const routes = await routesOf({ ...done, ...changes });
  const verdicts = checkEndpoints({ operations, routes, unread: [], touched });
  return withoutFormer(verdicts, await routesOf(before))
    .flatMap((verdict) => verdict.findings)
    .map(({ code, about, at, message }) => `${code} ${about} ${at?.file}:${at?.line}: ${message}`);
}

test("the example project in TypeScript, when it is done, has these routes and no others", async () => {
  const { routes, unclear, frameworks } = await routesOf(done);
  expect(frameworks).toEqual(["Hono"]);
  expect(unclear).toEqual([]);
  expect(routes.map(routeText).toSorted()).toEqual([
    "DELETE /api/transfers/{id} (- → none)",
    "GET /api/products",
    "GET /api/products/{sku}",
    "GET /api/transfers (- → TransferPage)",
    "GET /api/transfers/{id}",
    "GET /api/warehouses",
    "GET /api/warehouses/{code}/capacity",
    "GET /api/warehouses/{code}/stock",
    "GET /api/warehouses/{code}/transfers",
    "PATCH /api/transfers/{id}",
    "POST /api/products",
    "POST /api/transfers",
    "POST /api/transfers/{id}/dispatch",
    "POST /api/transfers/{id}/receipts",
    "POST /api/warehouses/{code}/receipts",
    "PUT /api/warehouses/{code}/capacity",
  ]);
});

test("it has every endpoint of its contract, and nothing is found", async () => {
  expect(operations).toHaveLength(11);
  expect(await findings({})).toEqual([]);
});

const TRANSFERS = "src/routes/transfers.ts";
const WAREHOUSES = "src/routes/warehouses.ts";

test.each<[what: string, path: string, from: string, to: string, said: string]>([
  [
    "another method",
    TRANSFERS,
    'routes.patch("/:id", async',
    'routes.put("/:id", async',
    "endpoint-method PATCH /api/transfers/{id} @: `/api/transfers/{id}` accepts `GET`, `PUT` and `DELETE`, not `PATCH`",
  ],
  [
    "another path",
    WAREHOUSES,
    'routes.get("/:code/transfers"',
    'routes.get("/:code/transfer"',
    "endpoint-missing GET /api/warehouses/{code}/transfers @: no route has this path; `GET /api/warehouses/{code}/transfer` is similar and not in the contract",
  ],
  [
    "another response",
    TRANSFERS,
    "c.json<TransferPage>(",
    "c.json<Transfer[]>(",
    "endpoint-response GET /api/transfers @: returns a list of `Transfer`; the contract has `TransferPage`",
  ],
  [
    "an answer where there is to be none",
    TRANSFERS,
    "return c.body(null, 204);",
    "return c.json<Transfer>(transfer);",
    "endpoint-response DELETE /api/transfers/{id} @: returns `Transfer`; the contract has no body",
  ],
])("with %s, that is told with its place, and nothing else", async (_, path, from, to, said) => {
  const whole = done[path] as string;
  expect(whole.split(from)).toHaveLength(2);
  const start = whole.slice(0, whole.indexOf(from)).split("\n");
  // The line of the route, which is above what it answers.
  const line = start.length - start.toReversed().findIndex((one) => /^ {2}routes\./.test(one));
  const expected = from.startsWith("routes.") ? start.length : line;
  expect(await findings({ [path]: whole.replace(from, to) })).toEqual([
    said.replace("@", `${path}:${expected}`),
  ]);
});

test("a part that was never mounted is nowhere for sure", async () => {
  const mount = 'app.route("/api/transfers", transferRoutes(store));';
  const app = (done["src/app.ts"] as string).replace(mount, "");
  const said = await findings({ "src/app.ts": app });
  expect(said).toHaveLength(7);
  expect(said.every((one) => one.startsWith("endpoint-unclear "))).toBe(true);
  expect(said.find((one) => one.includes("DELETE"))).toBe(
    "endpoint-unclear DELETE /api/transfers/{id} src/routes/transfers.ts:46: no route found for certain; `/{id}` may match: its router is not mounted",
  );
});
