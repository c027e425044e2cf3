import type { ValueType } from "../types/shape.ts";

/** An endpoint that code declares, with its whole path where that can be seen. */
export type Route = Models & {
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

/** Of the bodies, where they are declared. */
export type Models = { readonly request: ModelUse; readonly response: ModelUse };

export const UNDECLARED: ModelUse = { kind: "undeclared" };

export const NONE: ModelUse = { kind: "none" };

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

/** All that an endpoint declares beside its path and method. Null: nothing is declared, so that nothing is compared. */
export type Surface = {
  readonly parameters: DeclaredParameters | null;
  readonly request: DeclaredBody | null;
  readonly responses: DeclaredResponses | null;
};

export type DeclaredParameters = {
  readonly list: readonly ApiParameter[];
  /** Types whose fields are parameters: `Annotated[Filters, Query()]`. */
  readonly spread?: readonly { readonly in: ParameterPlace; readonly type: ValueType }[];
  /** Where parameters are declared at all; what stands elsewhere is not compared. Left out: everywhere. */
  readonly places?: readonly ParameterPlace[];
  /** Why there may be more than these: "a dependency may read more"; null: these are all. */
  readonly more: string | null;
  /** Why there may be more headers and cookies: a middleware reads them. */
  readonly moreHeaders?: string;
};

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export type ApiParameter = {
  readonly name: string;
  readonly in: ParameterPlace;
  /** Null: the text does not say. */
  readonly isRequired: boolean | null;
  readonly type: ValueType;
  /** Something else than a parameter says that it is read, such as a security scheme: nobody misses it. */
  readonly isImplied?: true;
};

export type DeclaredBody = {
  readonly type: ValueType;
  /** Null: the text does not say. */
  readonly isRequired: boolean | null;
};

export type DeclaredResponses = {
  /** By status: `201`, `2XX`, `default`. A type that is null says nothing about the content. */
  readonly byStatus: ReadonlyMap<string, ValueType | null>;
  /** No other status that means success is answered. */
  readonly isWhole: boolean;
};

/** Of a status, however it is written: `2xx`, `Default`. */
export const statusName = (status: string): string => status.toUpperCase().replace("DEFAULT", "default");

/** What all frameworks of TypeScript have in common. */
export const SCRIPT_SURFACE = { language: "script", areParametersText: true } as const;

/** In what an endpoint of the code is described: it decides how strictly types are taken. */
type SurfaceLanguage = "python" | "script" | "document";

export type RouteSurface = Surface & {
  readonly language: SurfaceLanguage;
  /** Parameters come as texts, and what the handler makes of them is not declared. */
  readonly areParametersText?: true;
  /** What documents of this framework have by habit. */
  readonly habits?: DocumentHabits;
};

export type DocumentHabits = {
  /** Responses that the framework adds by itself. */
  readonly addedStatuses: RegExp;
  /** Fields with a default are not listed as required in responses, where they always are. */
  readonly isLooseAboutDefaults: boolean;
  /** The description of a response that nobody declared. */
  readonly undeclaredResponse: RegExp;
  /** Parameters in the query are listed as required, whether they are or not. */
  readonly isQueryAlwaysRequired: boolean;
};

export const joinRoutes = (all: readonly Partial<Routes>[]): Routes => ({
  frameworks: all.flatMap(({ frameworks }) => frameworks ?? []),
  routes: all.flatMap(({ routes }) => routes ?? []),
  unclear: all.flatMap(({ unclear }) => unclear ?? []),
});
