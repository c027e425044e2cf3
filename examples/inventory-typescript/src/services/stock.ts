import type { Store } from "../domain/store.js";
import type { StockLevel } from "../domain/types.js";

export class NotEnoughStock extends Error {
  readonly sku: string;
  readonly available: number;

  constructor(sku: string, wanted: number, available: number) {
    super(`${wanted} of ${sku} wanted, ${available} there`);
    this.sku = sku;
    this.available = available;
  }
}

export function receive(store: Store, sku: string, warehouse: string, quantity: number): StockLevel {
  const level = store.level(sku, warehouse);
  level.onHand += quantity;
  return level;
}

export function take(store: Store, sku: string, warehouse: string, quantity: number): StockLevel {
  const level = store.level(sku, warehouse);
  if (level.onHand < quantity) throw new NotEnoughStock(sku, quantity, level.onHand);
  level.onHand -= quantity;
  return level;
}
