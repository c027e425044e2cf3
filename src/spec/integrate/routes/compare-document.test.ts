import { describe, expect, test } from "vitest";
import { compareContracts } from "../compare.ts";
import { findDocument } from "./compare-document.ts";

const CONTRACT = `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: https://shop.example/api }]
paths:
  /orders:
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewOrder" } } } }
      responses: { "201": { description: made }, "404": { description: no } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer }, note: { type: string } } }
    NewOrder: { type: object, required: [sku], properties: { sku: { type: string } } }
`;
const CODE = `from fastapi import FastAPI
app = FastAPI(root_path="/api")
@app.get("/orders")
def orders(): ...
@app.post("/orders")
def create(): ...
`;

/** What is said when a program prints this. */
async function judged(printed: object | string, contract = CONTRACT) {
  const { compareDocument } = await compareContracts({
    project: { paths: ["app.py"], read: async () => CODE },
    contracts: [{ path: "contracts/api-schema.yaml", file: "api.yaml", text: contract }],
    touched: new Set(["app.py"]),
    before: async () => null,
  });
  const text = typeof printed === "string" ? printed : JSON.stringify(printed);
  const { endpoints, findings } = compareDocument?.({ command: "print", text }) ?? {
    endpoints: [],
    findings: [],
  };
  const all = [...findings, ...endpoints.flatMap((one) => one.findings)];
  return {
    statuses: endpoints.map(({ about, status }) => `${about} ${status}`),
    said: all.map(
      ({ weight, code, about, at, message }) =>
        `${weight} ${code} ${about} ${at?.file}:${at?.line}: ${message}`,
    ),
  };
}

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const NULLABLE = { anyOf: [{ type: "string" }, { type: "null" }], title: "Note" };

/** As FastAPI writes it. */
const FASTAPI = {
  openapi: "3.1.0",
  info: { title: "FastAPI", version: "0.1.0" },
  servers: [{ url: "/api" }],
  paths: {
    "/orders": {
      get: {
        operationId: "orders_get",
        parameters: [
          {
            name: "limit",
            in: "query",
            required: false,
            schema: { type: "integer", default: 20, title: "Limit" },
          },
        ],
        responses: {
          "200": { description: "Successful Response", ...json(ref("Order")) },
          "422": { description: "Validation Error", ...json(ref("HTTPValidationError")) },
        },
      },
      post: {
        requestBody: { required: true, ...json(ref("OrderIn")) },
        responses: {
          "201": { description: "Successful Response", ...json({}) },
          "422": { description: "Validation Error", ...json(ref("HTTPValidationError")) },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: { type: "object", title: "Order", properties: { id: { type: "integer" }, note: NULLABLE } },
      OrderIn: { type: "object", required: ["sku"], properties: { sku: { type: "string", title: "Sku" } } },
      HTTPValidationError: { type: "object", properties: {} },
    },
  },
};

describe("a document of FastAPI", () => {
  test("with all its habits is as the contract says", async () => {
    expect(await judged(FASTAPI)).toEqual({ statuses: ["GET /orders ok", "POST /orders ok"], said: [] });
  });

  test("decides, with the places of the code", async () => {
    const { paths } = FASTAPI;
    const { get, post } = paths["/orders"];
    const changed = {
      ...FASTAPI,
      paths: {
        "/orders": {
          get: { ...get, parameters: [] },
          post: { ...post, responses: { "200": { description: "ok" }, "409": { description: "taken" } } },
        },
      },
      components: {
        schemas: {
          ...FASTAPI.components.schemas,
          Order: { type: "object", properties: { id: { type: "string" } } },
          OrderIn: { type: "object", properties: { sku: { type: "string" } } },
        },
      },
    };
    expect((await judged(changed)).said).toEqual([
      "must endpoint-parameter GET /orders app.py:3: lacks query parameter `limit`",
      "must endpoint-response GET /orders app.py:3: response field `id` of `Order` is string in the code, integer in the contract",
      "must endpoint-response GET /orders app.py:3: response `Order` lacks field `note`",
      "must endpoint-request POST /orders app.py:5: request field `sku` of `OrderIn` is optional in the code, required in the contract",
      "must endpoint-status POST /orders app.py:5: responds with 200 in the code, 201 in the contract",
      "should endpoint-status POST /orders app.py:5: lacks response 404",
      "should endpoint-status POST /orders app.py:5: has extra response 409",
    ]);
  });

  test("without an operation says that it is missing, where the contract asks for it", async () => {
    const { get } = FASTAPI.paths["/orders"];
    expect((await judged({ ...FASTAPI, paths: { "/orders": { get } } })).said).toEqual([
      "must endpoint-method POST /orders app.py:3: `/api/orders` accepts `GET`, not `POST`",
    ]);
  });
});

test("a document of NestJS lists each parameter in the query as required, and one of Fastify answers that nobody declared", async () => {
  const operation = (more: object) => ({ responses: { "200": { description: "" } }, ...more });
  const path = "openapi: 3.0.3\ninfo: { title: a, version: '1' }\npaths:\n  /a:\n    post:\n";
  const contract = `${path}      parameters: [{ name: q, in: query, schema: { type: string } }]\n      responses: { "201": { description: made } }\n`;
  const parameters = [{ name: "q", in: "query", required: true, schema: { type: "string" } }];
  const made = { "201": { description: "" } };
  const document = (post: object) => ({ openapi: "3.0.0", info: {}, paths: { "/a": { post } } });
  const nest = operation({ operationId: "AppController_add", parameters, responses: made });
  expect((await judged(document(nest), contract)).said).toEqual([]);
  const other = operation({ operationId: "add", parameters, responses: made });
  expect((await judged(document(other), contract)).said).toEqual([
    "must endpoint-parameter POST /a api.yaml:5: query parameter `q` is required in the code, optional in the contract",
  ]);
  const undeclared = { "200": { description: "Default Response" } };
  const fastify = operation({ parameters: [{ ...parameters[0], required: false }], responses: undeclared });
  expect((await judged(document(fastify), contract)).said).toEqual([]);
});

test("what is no document leaves every endpoint undecided, and is told once", async () => {
  const { statuses, said } = await judged("Traceback\nno such module\n");
  expect(statuses).toEqual(["GET /orders unclear", "POST /orders unclear"]);
  expect(said).toEqual([
    expect.stringMatching(
      /^must document-unreadable integrate.openapi undefined:undefined: `print` printed no API document: /,
    ),
  ]);
  expect((await judged({ swagger: "2.0" })).said[0]).toContain("this is Swagger 2.0");
});

test.each<[printed: string, found: string]>([
  ['[Nest] started\n{ "openapi": "3.0.0" }\nbye\n', '{ "openapi": "3.0.0" }'],
  ["loading\nopenapi: 3.0.3\npaths: {}\n", "openapi: 3.0.3\npaths: {}"],
  ["nothing of it", "nothing of it"],
])("in %j the document is %j", (printed, found) => {
  expect(findDocument(printed)).toBe(found);
});
