import { expect, test } from "vitest";
import { taskNaming } from "./mentions.ts";

const texts = new Map([
  ["orders", "Implements `GET /orders/{order_id}` and everything below `/carts`. Uses `Money`."],
  ["stock", "All six operations below `/api/v1/stock`, and PUT /orders/:id/stock. Declares Level."],
  ["web", "Shows a Money, asks GET /stock-takes and /carts/<int:id>/lines"],
]);

test.each([
  ["GET /orders/{id}", "orders"],
  ["PUT /orders/{id}/stock", "stock"],
  ["GET /stock/{sku}", "stock"], // below what it names
  ["GET /stock", "stock"],
  ["POST /carts/{id}/lines", "web"], // the most exact words decide
  ["POST /carts/{id}", null], // two name what it is below of
  ["GET /{id}", null],
  ["GET /api/v1", null],
  ["GET /unknown", null],
  ["GET /stock-takes", "web"], // with signs that patterns use for themselves
  ["GET /stock-takes/{id}.csv", "web"],
  ["GET /a-b/(c)|[d]^$+?*\\\\", null],
  ["Level", "stock"],
  ["Money", null], // two name it
  ["Mon", null],
  ["contracts/types.py", null],
])("%s is named by %s", (about, task) => {
  expect(taskNaming(about, texts)).toBe(task);
});
