import { describe, expect, test } from "vitest";
import { doneFiles, type Files, projectFiles, python } from "../../../../test/spec/example-projects.ts";
import { pythonRoutes } from "../../../../test/spec/python-routes.ts";
import type { ContractVerdict, UnreadFile } from "../finding.ts";
import { isImplementation } from "../project.ts";
import { checkEndpoints, withoutFormer } from "./check-endpoints.ts";
import { operationsOf } from "./operations.ts";
import type { ModelUse, Route, Routes } from "./route.ts";

/** `weight code about @file:line: message`. */
const findingsOf = (verdicts: readonly ContractVerdict[]) =>
  verdicts.flatMap(({ findings }) =>
    findings.map(({ weight, code, about, at, message }) => {
      const place = at === null ? "-" : `${at.file}:${at.line}`;
      return `${weight} ${code} ${about} ${place} ${message}`;
    }),
  );

describe("the example project in Python", () => {
  const done: Files = { ...projectFiles(python), ...doneFiles(python) };
  const { contracts } = JSON.parse(done["design.json"] as string);
  const contract = { path: "api-schema.yaml", file: "api-schema.yaml", text: contracts.api_schema as string };
  const { operations } = operationsOf(contract);
  const routesOf = (files: Files) =>
    pythonRoutes(
      Object.fromEntries(
        Object.entries(files).filter(([path]) => path.endsWith(".py") && isImplementation(path)),
      ),
    );
  const touched = new Set(Object.keys(doneFiles(python)));
  const check = async (changes: Files) =>
    checkEndpoints({ operations, routes: await routesOf({ ...done, ...changes }), unread: [], touched });
  const RESERVATIONS = "app/routers/reservations.py";
  const REPORTS = "app/routers/reports.py";
  const PRODUCTS = "app/routers/products.py";
  const lineOf = (path: string, text: string) =>
    (done[path] as string).split("\n").findIndex((line) => line.includes(text)) + 1;

  test("finished, it has every endpoint of its contract, and beside them only what was there before", async () => {
    const verdicts = await check({});
    const ok = operations.map(({ method, route }) => `ok ${method} ${route}`);
    const told = (all: readonly ContractVerdict[]) => all.map(({ about, status }) => `${status} ${about}`);
    expect(ok).toHaveLength(10);
    expect(told(verdicts)).toEqual([
      ...ok,
      ...["extra GET /api/v1/products", "extra POST /api/v1/products", "extra GET /api/v1/products/{sku}"],
    ]);
    expect(told(withoutFormer(verdicts, await routesOf(projectFiles(python))))).toEqual(ok);
  });

  test.each<[what: string, path: string, from: string, to: string, expected: string]>([
    [
      "another method",
      RESERVATIONS,
      '@router.patch("/{reservation_id}"',
      '@router.put("/{reservation_id}"',
      "must endpoint-method PATCH /reservations/{reservation_id} @ `/api/v1/reservations/{reservation_id}` accepts `GET`, `PUT` and `DELETE`, not `PATCH`",
    ],
    [
      "another path",
      REPORTS,
      '@router.get("/low-stock"',
      '@router.get("/lowstock"',
      "must endpoint-missing GET /reports/low-stock @ no route has this path; `GET /api/v1/reports/lowstock` is similar and not in the contract",
    ],
    [
      "another response",
      PRODUCTS,
      "response_model=AvailabilityOut",
      "response_model=ProductOut",
      "must endpoint-response GET /products/{sku}/availability @ returns `ProductOut`; the contract has `AvailabilityOut`",
    ],
    [
      "one in place of a list",
      REPORTS,
      "response_model=list[ShortageOut]",
      "response_model=ShortageOut",
      "must endpoint-response GET /reports/low-stock @ returns `ShortageOut`; the contract has a list of `ShortageOut`",
    ],
    [
      "another body",
      RESERVATIONS,
      "def create_reservation(body: ReservationIn",
      "def create_reservation(body: ReservationPatch",
      "must endpoint-request POST /reservations @ accepts `ReservationPatch`; the contract has `ReservationIn`",
    ],
  ])("with %s, that is told with its place, and nothing else", async (_, path, from, to, expected) => {
    const text = done[path] as string;
    expect(text.split(from)).toHaveLength(2);
    const verdicts = await check({ [path]: text.replace(from, to) });
    const lines = findingsOf(withoutFormer(verdicts, await routesOf(projectFiles(python))));
    const line = lineOf(path, from.startsWith("def ") ? '@router.post(""' : from);
    expect(lines).toEqual([expected.replace(" @ ", ` ${path}:${line} `)]);
  });
});

const UNDECLARED: ModelUse = { kind: "undeclared" };
const route = (said: string, more: Partial<Route> = {}): Route => {
  const [method = "", path = ""] = said.split(" ");
  return {
    ...{ method, path, prefixUnknown: null, file: "a.py", line: 3, framework: "FastAPI" },
    ...{ request: UNDECLARED, response: UNDECLARED, ...more },
  };
};
const some: Routes = { frameworks: ["FastAPI"], routes: [route("GET /other")], unclear: [] };
const operations = (lines: readonly string[], servers = "") => {
  const paths = new Map<string, string[]>();
  for (const line of lines) {
    const [method = "", path = ""] = line.toLowerCase().split(" ");
    paths.set(path, [
      ...(paths.get(path) ?? []),
      `    ${method}: { responses: { "200": { description: ok } } }\n`,
    ]);
  }
  const text = [...paths].map(([path, all]) => `  ${path}:\n${all.join("")}`);
  const document = `openapi: 3.0.3\ninfo: { title: a, version: "1" }\n${servers}paths:\n${text.join("")}`;
  const read = operationsOf({ path: "api.yaml", file: "api.yaml", text: document });
  expect(read.problem).toBe(null);
  return read.operations;
};

describe("what is told of an endpoint", () => {
  type Case = {
    wants: string[];
    servers?: string;
    routes?: Partial<Routes>;
    unread?: UnreadFile[];
    said: string[];
  };
  const SERVER = "servers: [{ url: https://shop.example/api/v1/ }]\n";
  const cases: Record<string, Case> = {
    "parameters are compared by their place, and a slash at the end is none": {
      wants: ["GET /a/{id}/b/{x}"],
      routes: { routes: [route("GET /a/{key}/b/{y}/")] },
      said: [],
    },
    "a parameter does not stand for a word": {
      wants: ["GET /a/me"],
      routes: { routes: [route("GET /a/{id}", { file: "b.py" })] },
      said: [
        "must endpoint-missing GET /a/me b.py:3 no route has this path; `/a/{id}` would match its requests",
      ],
    },
    "what is nowhere is missing": {
      wants: ["GET /a"],
      said: [
        "must endpoint-missing GET /a - no route has this path",
        "should endpoint-extra GET /other a.py:3 not in the contract",
      ],
    },
    "a function that answers to all methods answers to this one": {
      wants: ["POST /a"],
      routes: { routes: [route("* /a")] },
      said: [],
    },
    "Flask answers to HEAD where it answers to GET, FastAPI does not": {
      wants: ["HEAD /a", "HEAD /b"],
      routes: { routes: [route("GET /a", { framework: "Flask" }), route("GET /b")] },
      said: ["must endpoint-method HEAD /b a.py:3 `/b` accepts `GET`, not `HEAD`"],
    },
    "a route whose beginning is not seen may be it, if it ends so": {
      wants: ["GET /a/b", "GET /a/c", "POST /a/b"],
      routes: { routes: [route("GET /b", { prefixUnknown: "`r` is not mounted" })] },
      said: [
        "unclear endpoint-unclear GET /a/b a.py:3 no route found for certain; `/b` may match: `r` is not mounted",
        "must endpoint-missing POST /a/b - no route has this path",
        "must endpoint-missing GET /a/c - no route has this path",
      ],
    },
    "a route that cannot be read may be it, below where it stands": {
      wants: ["GET /a", "GET /auth/login"],
      routes: {
        routes: [],
        unclear: [{ file: "b.py", line: 7, framework: "FastAPI", why: "it is computed", under: "/auth" }],
      },
      said: [
        "must endpoint-missing GET /a - no route has this path",
        "unclear endpoint-unclear GET /auth/login b.py:7 no route found for certain; one may be declared here: it is computed",
      ],
    },
    "of several that it may be, the one that fits best is named": {
      wants: ["GET /a/b", "GET /c/d"],
      routes: {
        routes: [
          route("GET /b", { prefixUnknown: "short" }),
          route("GET /a/b", { prefixUnknown: "long", line: 9 }),
        ],
        unclear: [
          { file: "b.py", line: 7, framework: "FastAPI", why: "anywhere" },
          { file: "b.py", line: 8, framework: "FastAPI", why: "here", under: "/c" },
        ],
      },
      said: [
        "unclear endpoint-unclear GET /a/b a.py:9 no route found for certain; `/a/b` may match: long",
        "unclear endpoint-unclear GET /c/d b.py:8 no route found for certain; one may be declared here: here",
      ],
    },
    "one with another beginning is named": {
      wants: ["GET /a", "GET /b"],
      servers: SERVER,
      routes: { routes: [route("GET /api/v1/a"), route("GET /b", { line: 9 })] },
      said: [
        "must endpoint-missing GET /b a.py:9 no route has this path, which is `/api/v1/b` with its server; `GET /b` has another prefix",
      ],
    },
    "a websocket is a GET where the contract has it, and none of its concern where not": {
      wants: ["GET /ws", "POST /ws"],
      routes: { routes: [route("WEBSOCKET /ws"), route("WEBSOCKET /more")] },
      said: ["must endpoint-method POST /ws a.py:3 `/ws` accepts `WEBSOCKET`, not `POST`"],
    },
    "it may be in a file that cannot be read": {
      wants: ["GET /a"],
      routes: { routes: [] },
      unread: [{ path: "x.py", why: "line 3 is no Python" }],
      said: [
        "unclear endpoint-unclear GET /a x.py:null no route found for certain; this file cannot be read: line 3 is no Python",
      ],
    },
    "without a framework that is known nothing can be told": {
      wants: ["GET /a"],
      routes: { routes: [], frameworks: [] },
      said: [
        "unclear endpoint-unclear GET /a - no route found: the project uses no framework that plait reads",
      ],
    },
    "the path of the server stands before all": {
      wants: ["GET /a"],
      servers: SERVER,
      routes: { routes: [route("GET /api/v1/a")] },
      said: [],
    },
    "paths that are all there without that of the server are told once": {
      wants: ["GET /a", "GET /b"],
      servers: SERVER,
      routes: { routes: [route("GET /a"), route("GET /b")] },
      said: [
        "unclear endpoint-unclear servers: /api/v1 - no route starts with `/api/v1`, the contract's server path; unclear whether a proxy adds it",
      ],
    },
    "paths that are all there below what the contract does not name are told once": {
      wants: ["GET /a", "GET /b"],
      routes: { routes: [route("GET /api/a"), route("GET /api/b")] },
      said: [
        "unclear endpoint-unclear servers: /api - routes start with `/api`, but the contract names no server; unclear whether they match",
      ],
    },
    "a route that two ways lead to is in the contract by one of them": {
      wants: ["GET /r/a"],
      routes: { routes: [route("GET /a"), route("GET /r/a")] },
      said: [],
    },
  };
  test.each(Object.entries(cases))("%s", (_, { wants, servers, routes, unread = [], said }) => {
    const input = { operations: operations(wants, servers), routes: { ...some, ...routes }, unread };
    expect(findingsOf(checkEndpoints({ ...input, touched: new Set(["a.py"]) }))).toEqual(said);
    const elsewhere = checkEndpoints({ ...input, touched: new Set() });
    expect(findingsOf(elsewhere)).toEqual(said.filter((one) => !one.includes("endpoint-extra")));
  });
});

describe("models", () => {
  const declared = (model: string, isList = false): ModelUse => ({ kind: "declared", model, isList });
  const none: ModelUse = { kind: "none" };
  const DRF = "Django REST framework";
  test.each<[contract: ModelUse[], code: ModelUse, framework: string, said: string | null]>([
    [[declared("A")], declared("A"), "FastAPI", null],
    [[declared("A")], declared("B"), "FastAPI", "must `B`; the contract has `A`"],
    [[declared("As"), declared("A", true)], declared("A", true), "FastAPI", null],
    [[declared("A")], declared("A", true), "FastAPI", "must a list of `A`; the contract has `A`"],
    [[declared("A")], UNDECLARED, "FastAPI", null],
    [[UNDECLARED], declared("A"), "FastAPI", null],
    [[none], none, "FastAPI", null],
    [[none], declared("A"), "FastAPI", "must `A`; the contract has no body"],
    [[declared("A")], none, "FastAPI", "must no body; the contract has `A`"],
    [[declared("A")], { kind: "unclear", text: "A | B" }, "FastAPI", "unclear `A | B`; the contract has `A`"],
    [[{ kind: "unclear", text: "A | B" }], declared("A"), "FastAPI", "unclear `A`; the contract has `A | B`"],
    [[{ kind: "unclear", text: "A | B" }], { kind: "unclear", text: "Union[s.B, A]" }, "FastAPI", null],
    [[declared("Page_A_")], { kind: "unclear", text: "Page[A]" }, "FastAPI", null],
    [[declared("A")], { ...declared("A"), doubt: "why" } as ModelUse, "NestJS", null],
    [
      [declared("A")],
      { ...declared("B"), doubt: "why" } as ModelUse,
      "NestJS",
      "unclear `B`; the contract has `A` (why)",
    ],
    [[declared("A")], declared("ASerializer"), DRF, null],
    [[declared("A")], declared("BSerializer"), DRF, "must `BSerializer`; the contract has `A`"],
    [[declared("A")], declared("AnySerializer"), DRF, "unclear `AnySerializer`; the contract has `A`"],
  ])("%j and %j of %s: %s", (response, code, framework, said) => {
    const [one] = operations(["GET /a"]);
    const other = { ...(one as NonNullable<typeof one>), route: "/b", response: [declared("B")] };
    const routes = [route("GET /a", { response: code, framework }), route("GET /b", { framework })];
    const findings = checkEndpoints({
      operations: [{ ...other, route: "/a", response }, other],
      routes: { ...some, routes },
      unread: [],
      touched: new Set(),
    }).flatMap((verdict) => verdict.findings);
    const told = findings.map(({ weight, message }) => `${weight} ${message.replace("returns ", "")}`);
    expect(told).toEqual(said === null ? [] : [said]);
  });

  test("one serializer for both ways may be right where the contract has a name for each", () => {
    const [one] = operations(["POST /a"]);
    const [both, request, response] = [declared("ASerializer"), [declared("ACreate")], [declared("A")]];
    const operation = { ...(one as NonNullable<typeof one>), request, response };
    const check = (code: Partial<Route>) => {
      const routes = [route("POST /a", { framework: DRF, ...code })];
      const input = { operations: [operation], unread: [], touched: new Set<string>() };
      return checkEndpoints({ ...input, routes: { ...some, routes } }).map(({ status }) => status);
    };
    expect(check({ request: both, response: both })).toEqual(["unclear"]);
    expect(check({ request: both, response: UNDECLARED })).toEqual(["differs"]);
  });
});
