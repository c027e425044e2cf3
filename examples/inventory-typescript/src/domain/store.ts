import type { Product, StockLevel, Warehouse } from "./types.js";

/** Everything is kept in memory: one store an application, so that tests share nothing. */
export class Store {
  readonly warehouses = new Map<string, Warehouse>();
  readonly products = new Map<string, Product>();
  readonly #levels = new Map<string, StockLevel>();

  /** The level there, which is made with nothing on hand the first time somebody asks. */
  level(sku: string, warehouse: string): StockLevel {
    const key = `${warehouse}/${sku}`;
    const found = this.#levels.get(key) ?? { sku, warehouse, onHand: 0 };
    this.#levels.set(key, found);
    return found;
  }

  levelsIn(warehouse: string): StockLevel[] {
    return [...this.#levels.values()].filter((level) => level.warehouse === warehouse);
  }
}
