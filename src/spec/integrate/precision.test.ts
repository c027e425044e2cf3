import { expect, test } from "vitest";
import { compareContracts } from "./compare.ts";

type Files = Readonly<Record<string, string>>;

/** Everything that must be fixed, and how much cannot be told. */
async function accused(contracts: Files, files: Files) {
  const { types, endpoints, findings } = await compareContracts({
    project: { paths: Object.keys(files).sort(), read: async (path) => files[path] ?? null },
    contracts: Object.entries(contracts).map(([path, text]) => ({
      path: `contracts/${path}`,
      file: path,
      text,
    })),
    touched: new Set(Object.keys(files)),
    before: async () => null,
  });
  const all = [...findings, ...[...(types ?? []), ...(endpoints ?? [])].flatMap((one) => one.findings)];
  const said = (weight: string) =>
    all.flatMap((one) => (one.weight === weight ? [`${one.code} ${one.about}: ${one.message}`] : []));
  return { must: said("must"), unclear: said("unclear").length };
}

const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
const ORDER = '{ $ref: "#/components/schemas/Order" }';
/** Two endpoints with parameters, bodies and statuses: all that could be held against anybody. */
const API = `openapi: 3.0.3
info: { title: Orders, version: "1" }
paths:
  /orders:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: X-Tenant, in: header, required: true, schema: { type: string } }
      responses: { "200": { description: ok, ${json(`{ type: array, items: ${ORDER} }`)} } }
    post:
      requestBody: { required: true, ${json(ORDER)} }
      responses: { "201": { description: made, ${json(ORDER)} }, "409": { description: taken } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer }, note: { type: string } } }
`;
const FASTAPI = "from fastapi import APIRouter, FastAPI, Header\napp = FastAPI()\n";
const TYPES_PY = "from pydantic import BaseModel\nclass Order(BaseModel):\n    id: int\n";
const TYPES_TS = "export interface Order { id: number }\n";

test.each<[what: string, contracts: Files, files: Files, unclear: number]>([
  [
    "Flask, which declares nothing",
    { "api-schema.yaml": API },
    {
      "app.py":
        'from flask import Flask, request, jsonify\napp = Flask(__name__)\n@app.get("/orders")\ndef all():\n    return jsonify([])\n@app.post("/orders")\ndef add():\n    return request.json, 201\n',
    },
    0,
  ],
  [
    "Django REST framework with a view set",
    { "api-schema.yaml": API },
    {
      "shop/urls.py":
        'from django.urls import include, path\nfrom rest_framework.routers import SimpleRouter\nfrom .views import OrderViewSet\nrouter = SimpleRouter()\nrouter.register("orders", OrderViewSet)\nurlpatterns = [path("", include(router.urls))]\n',
      "shop/views.py":
        "from rest_framework import viewsets\nfrom .serializers import OrderSerializer\nclass OrderViewSet(viewsets.ModelViewSet):\n    serializer_class = OrderSerializer\n",
      "shop/serializers.py":
        "from rest_framework import serializers\nclass OrderSerializer(serializers.Serializer):\n    id = serializers.IntegerField()\n",
      "shop/settings.py": 'ROOT_URLCONF = "shop.urls"\n',
    },
    0,
  ],
  [
    "Express, with a check of its own",
    { "api-schema.yaml": API },
    {
      "app.ts":
        'import express from "express";\nimport { z } from "zod";\nconst app = express();\nconst Body = z.object({ id: z.number() });\napp.get("/orders", (req, res) => { res.json([]); });\napp.post("/orders", (req, res) => { Body.parse(req.body); res.status(201).json({}); });\napp.listen(1);\n',
    },
    0,
  ],
  [
    "Hono, without validators, and with a status that is computed",
    { "api-schema.yaml": API },
    {
      "app.ts":
        'import { Hono } from "hono";\nconst app = new Hono();\napp.get("/orders", async (c) => c.json(await all(c.req.query("limit"))));\napp.post("/orders", async (c) => { const { status, body } = await made(c); return c.json(body, status); });\nexport default app;\n',
    },
    0,
  ],
  [
    "handlers that are given to a decorator as a function",
    { "api-schema.yaml": API },
    {
      "app.py": `${FASTAPI}from pydantic import BaseModel\nclass Order(BaseModel):\n    id: int\n    note: str = ""\nrouter = APIRouter()\ndef all(x_tenant: str = Header(), limit: int = 20) -> list[Order]: ...\ndef add(order: Order) -> Order: ...\nrouter.api_route("/orders", methods=["GET"])(all)\nadded = router.post("/orders", status_code=201)(add)\napp.include_router(router)\n`,
    },
    0,
  ],
  [
    "a parameter in the prefix that a router is mounted at",
    {
      "api-schema.yaml": `openapi: 3.0.3
info: { title: Shops, version: "1" }
paths:
  /shops/{shop}/orders:
    post:
      parameters:
        - { name: shop, in: path, required: true, schema: { type: integer } }
        - { name: dry, in: query, schema: { type: boolean } }
      requestBody: { required: true, ${json("{ type: object, required: [id], properties: { id: { type: integer } } }")} }
      responses: { "200": { description: ok } }
`,
    },
    {
      "app.py": `${FASTAPI}from pydantic import BaseModel\nclass Order(BaseModel):\n    id: int\nrouter = APIRouter(prefix="/orders")\n@router.post("")\ndef add(shop: int, order: Order, dry: bool = False): ...\napp.include_router(router, prefix="/shops/{shop}")\n`,
    },
    0,
  ],
  [
    "the same in Flask",
    { "api-schema.yaml": API },
    {
      "app.py":
        'from flask import Flask\napp = Flask(__name__)\ndef all(): ...\ndef add(): ...\napp.route("/orders", methods=["GET"])(all)\napp.post("/orders")(add)\n',
    },
    0,
  ],
  [
    "models that a call makes, under whatever name",
    { "types.py": TYPES_PY, "api-schema.yaml": API },
    {
      "app.py": `${FASTAPI}from pydantic import create_model\nOrderModel = create_model("Order", id=(int, ...))\n@app.get("/orders", response_model=list[OrderModel])\ndef all(x_tenant: str = Header(), limit: int = 20): ...\n@app.post("/orders", status_code=201)\ndef add(order: OrderModel) -> OrderModel: ...\n`,
    },
    3,
  ],
  [
    "models that a function makes",
    { "types.py": TYPES_PY },
    {
      "app.py":
        'import pydantic\ndef model(fields):\n    return pydantic.create_model("Order", **fields)\nregistry = {"order": model({"id": (int, ...)})}\n',
    },
    1,
  ],
  [
    "types of Prisma, by their import",
    { "types.ts": TYPES_TS },
    { "app.ts": 'import type { Order } from "@prisma/client";\nexport const list = (): Order[] => [];\n' },
    1,
  ],
  [
    "types of Prisma, by its schema",
    { "types.ts": TYPES_TS },
    {
      "prisma/schema.prisma": "model Order {\n  id Int @id\n}\n",
      "app.ts": 'import { db } from "./db";\nexport const list = () => db.order.findMany();\n',
    },
    1,
  ],
  [
    "models of Prisma in Python",
    { "types.py": TYPES_PY },
    { "app.py": "from prisma.models import Order\ndef first() -> Order: ...\n" },
    1,
  ],
])("%s: nobody is accused", async (_, contracts, files, unclear) => {
  expect(await accused(contracts, files)).toEqual({ must: [], unclear });
});
