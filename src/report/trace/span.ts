import type { EpochMs } from "../../core/facts.ts";

/** A stretch of a run as tracing tools know it. What it is about is told by its key, which also makes its id. */
export type Span = {
  readonly key: string;
  /** The key of the span that it is a part of; null for the run itself. */
  readonly parent: string | null;
  readonly name: string;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly attributes: Attributes;
  /** Null where nobody judges it. */
  readonly status: { readonly ok: true } | { readonly ok: false; readonly message: string } | null;
};

/** What is null is not known, and left out. A number counts something; what may be a fraction says so. */
export type Attributes = {
  readonly [name: string]: string | number | Fraction | boolean | readonly string[] | null;
};

export type Fraction = { readonly double: number };

export const fraction = (value: number | null): Fraction | null =>
  value === null ? null : { double: value };

/** The spans that agents are told of, so that what they trace hangs below. */
export const agentKey = (attempt: string): string => `agent ${attempt}`;
