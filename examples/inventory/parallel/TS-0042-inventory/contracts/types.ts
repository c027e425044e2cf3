/** One thing that may be in stock. */
export type Item = { name: string; count: number };

/** Prices by name, in cents. */
export type Prices = { [name: string]: number };
