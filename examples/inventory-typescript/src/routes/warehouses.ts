import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import type { Store } from "../domain/store.js";
import type { Warehouse } from "../domain/types.js";
import { receive } from "../services/stock.js";

const receiptBody = z.object({ sku: z.string(), quantity: z.number().int().positive() });

export function warehouseRoutes(store: Store): Hono {
  const routes = new Hono();

  routes.get("/", (c) => c.json([...store.warehouses.values()]));

  routes.get("/:code/stock", (c) => c.json(store.levelsIn(known(store, c.req.param("code")).code)));

  routes.post("/:code/receipts", async (c) => {
    const { code } = known(store, c.req.param("code"));
    const { sku, quantity } = receiptBody.parse(await c.req.json());
    return c.json(receive(store, sku, code, quantity), 201);
  });

  return routes;
}

function known(store: Store, code: string): Warehouse {
  const warehouse = store.warehouses.get(code);
  if (warehouse === undefined) throw new HTTPException(404, { message: "there is no such warehouse" });
  return warehouse;
}
