import type { RouteSurface } from "./surface.ts";

/** An endpoint that code declares, with its whole path where that can be seen. */
export type Route = {
  /** `GET`; `*` answers to all; `WEBSOCKET` is one. */
  readonly method: string;
  /** Parameters are `{name}` in every framework: `/products/{sku}`. Without a slash at the end. */
  readonly path: string;
  /** Why something stands before the path that cannot be seen, such as the prefix of a router that nobody mounts; null: it is all. */
  readonly prefixUnknown: string | null;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Of the framework: `FastAPI`. */
  readonly framework: string;
  /** The model of the body, where it is declared. */
  readonly request: ModelUse;
  readonly response: ModelUse;
  /** Parameters, bodies and statuses, where the framework has them declared. */
  readonly surface?: RouteSurface;
};

/** API documents have no word for it: where one has it at all, it is a `GET` that goes on otherwise. */
export const WEBSOCKET = "WEBSOCKET";

/**
 * `declared` is the name of a type, with lists as `isList`; `none` says by declaration that there is no body; `undeclared` says nothing, so that
 * nothing is compared; `unclear` is declared in a way that cannot be read.
 */
export type ModelUse =
  | {
      readonly kind: "declared";
      readonly model: string;
      readonly isList: boolean;
      /** Why it may be another one when it runs: "an interceptor may change it". */
      readonly doubt?: string;
    }
  | { readonly kind: "none" }
  | { readonly kind: "undeclared" }
  | { readonly kind: "unclear"; readonly text: string };

/** Something that is a route, and of which path or method cannot be seen: a name that is computed, a loop. */
export type UnclearRoute = {
  readonly file: string;
  readonly line: number;
  readonly framework: string;
  /** Without a period: "the path is computed". */
  readonly why: string;
  /** Where its path begins so, in whole steps: `/auth`; what does not begin so is not it. Left out: it could be anywhere. */
  readonly under?: string;
};

/** All that a project answers to. */
export type Routes = {
  /** Those whose imports were seen; empty: no framework that plait knows. */
  readonly frameworks: readonly string[];
  readonly routes: readonly Route[];
  readonly unclear: readonly UnclearRoute[];
};
