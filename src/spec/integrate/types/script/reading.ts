import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import type { ValueType } from "../shape.ts";
import type { Known } from "./operators.ts";
import type { ScriptSource } from "./source.ts";

/** What the readers of single forms ask each other for. */
export type Reading = {
  readonly source: ScriptSource;
  readonly typeOf: (node: SyntaxNode, at: At) => ValueType;
  /** What a schema of this name lets through; null where there is none. */
  readonly schemaValues: (name: string, side: Side) => ValueType | null;
  /** What `typeof` a constant of this name is; null where that is not plain to see. */
  readonly constant: (name: string) => ValueType | null;
  readonly known: Known;
};

/** Where something stands: names are looked up from there. */
export type At = {
  /** With a dot at its end; empty at the top. */
  readonly namespace: string;
  /** Names that stand for any type, in their order. */
  readonly parameters: readonly string[];
  readonly depth: number;
};

/** A schema takes one type and gives another. `schema` is the schema itself, in which both are true. */
export type Side = "input" | "output" | "schema";

export const TOP: At = { namespace: "", parameters: [], depth: 0 };

export const deeper = (at: At): At => ({ ...at, depth: at.depth + 1 });

/** People do not go further; a hostile text does, for ever. */
export const isTooDeep = ({ depth }: At): boolean => depth > 40;

/** The type parameters of a declaration, or those around it. */
export function within(node: SyntaxNode, at: At, text: ScriptSource["text"]): At {
  const names = partsOf(node.childForFieldName("type_parameters")).map(
    (parameter) => parameter.childForFieldName("name") ?? parameter,
  );
  return names.length === 0 ? at : { ...at, parameters: [...at.parameters, ...names.map(text)] };
}
