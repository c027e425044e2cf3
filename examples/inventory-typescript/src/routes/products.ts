import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import type { Store } from "../domain/store.js";
import { Unit } from "../domain/types.js";

const productBody = z.object({
  sku: z.string().regex(/^[A-Z0-9-]{3,20}$/),
  name: z.string().min(1),
  unit: z.enum(Unit),
  tags: z.array(z.string()).default([]),
});

export function productRoutes(store: Store): Hono {
  const routes = new Hono();

  routes.get("/", (c) => c.json([...store.products.values()]));

  routes.post("/", async (c) => {
    const product = productBody.parse(await c.req.json());
    if (store.products.has(product.sku)) {
      throw new HTTPException(409, { message: `${product.sku} is there already` });
    }
    store.products.set(product.sku, product);
    return c.json(product, 201);
  });

  routes.get("/:sku", (c) => {
    const product = store.products.get(c.req.param("sku"));
    if (product === undefined) throw new HTTPException(404, { message: "there is no such product" });
    return c.json(product);
  });

  return routes;
}
