/** What the service knows of goods and of the places where they lie. */

export enum Unit {
  Piece = "piece",
  Metre = "metre",
  Kilogram = "kilogram",
}

export interface Address {
  street: string;
  city: string;
  country: string;
}

export interface Warehouse {
  code: string;
  name: string;
  address?: Address;
}

export interface Product {
  sku: string;
  name: string;
  unit: Unit;
  tags: string[];
}

export interface StockLevel {
  sku: string;
  warehouse: string;
  onHand: number;
}
