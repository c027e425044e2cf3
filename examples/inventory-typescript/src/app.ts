import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ZodError } from "zod";
import { Store } from "./domain/store.js";
import { productRoutes } from "./routes/products.js";
import { warehouseRoutes } from "./routes/warehouses.js";

export function createApp(store: Store = new Store()): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.text(error.message, error.status);
    if (error instanceof ZodError) return c.text("the request is invalid", 422);
    throw error;
  });
  app.route("/api/products", productRoutes(store));
  app.route("/api/warehouses", warehouseRoutes(store));
  return app;
}
