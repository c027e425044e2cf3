import type { ValueType } from "../types/shape.ts";

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

/** In what an endpoint of the code is described: it decides how strictly types are taken. */
export type SurfaceLanguage = "python" | "script" | "document";

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
