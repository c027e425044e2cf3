import type { SyntaxNode } from "../../../../syntax/tree.ts";
import type { Field, ValueType } from "../shape.ts";
import { expressionOf } from "./expression.ts";
import type { FieldClass } from "./fields.ts";
import { valueType } from "./value-type.ts";

/**
 * What is computed when somebody reads it is no field; but where a contract has a field of its name, it can be read as one, though
 * not be given. So it cannot be said to be missing. Of a model of pydantic that holds only for those that are in the data as well.
 */
export function propertyFields(body: readonly SyntaxNode[], of: FieldClass): Field[] {
  const isModel = /^(?:BaseModel|SQLModel)$/.test(of.sort);
  return body.flatMap((statement): Field[] => {
    const method =
      statement.type === "decorated_definition" ? statement.childForFieldName("definition") : null;
    const name = method?.type === "function_definition" ? method.childForFieldName("name") : null;
    const returned = method?.childForFieldName("return_type") ?? null;
    if (name === null || name.text.startsWith("_")) return [];
    const decorators = statement.namedChildren
      .filter(({ type }) => type === "decorator")
      .map(({ text }) => text);
    if (!decorators.some((text) => (isModel ? COMPUTED : PROPERTY).test(text))) return [];
    const type: ValueType =
      isModel && returned !== null
        ? valueType(expressionOf(returned), of)
        : { kind: "unknown", text: returned === null ? "@property" : `@property ${returned.text}` };
    const line = of.lineOf(name.startIndex);
    return [{ name: name.text, type, line, isOptional: false, leftOutUnclear: true, isImplied: true }];
  });
}

const COMPUTED = /^@\s*(?:[\w.]*\.)?computed_field\b/;
const PROPERTY = /^@\s*(?:[\w.]*\.)?(?:\w*_)?property\b/;
