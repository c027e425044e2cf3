/** An invariant that does not hold. The name begins with its number in docs/ARCHITECTURE.md where it has one. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}

export function hold(condition: boolean, invariant: string, message: () => string): asserts condition {
  if (!condition) throw new Violation(invariant, message());
}
