import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../src/app.js";
import { Store } from "../src/domain/store.js";
import { NotEnoughStock, receive, take } from "../src/services/stock.js";

test("no more is taken than there is", () => {
  const store = new Store();
  receive(store, "CABLE-3", "HAM", 50);
  assert.equal(take(store, "CABLE-3", "HAM", 20).onHand, 30);
  assert.throws(() => take(store, "CABLE-3", "HAM", 31), NotEnoughStock);
});

test("what a warehouse receives is in its stock", async () => {
  const store = new Store();
  store.warehouses.set("HAM", { code: "HAM", name: "Hamburg" });
  const app = createApp(store);
  const body = JSON.stringify({ sku: "CABLE-3", quantity: 50 });
  assert.equal((await app.request("/api/warehouses/HAM/receipts", { method: "POST", body })).status, 201);
  const stock = await (await app.request("/api/warehouses/HAM/stock")).json();
  assert.deepEqual(stock, [{ sku: "CABLE-3", warehouse: "HAM", onHand: 50 }]);
});

test("a warehouse that is not there is not found", async () => {
  assert.equal((await createApp().request("/api/warehouses/NONE/stock")).status, 404);
});
