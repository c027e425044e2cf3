import type { SyntaxNode } from "../../../../syntax/tree.ts";
import type { Field, ValueType } from "../shape.ts";
import { named } from "../value-types.ts";
import { type Expression, expressionOf } from "./expression.ts";
import type { FieldClass } from "./fields.ts";
import type { Assignment } from "./source.ts";
import { valueType } from "./value-type.ts";

/**
 * What a class of no special sort sets in its `__init__`: `self.sku = sku`. What is not handed in is there, but whoever makes
 * an object has nothing to do with it.
 */
export function initFields(body: readonly SyntaxNode[], of: FieldClass): Field[] {
  const init = body.find(
    (node) => node.type === "function_definition" && node.childForFieldName("name")?.text === "__init__",
  );
  const given = parametersOf(init?.childForFieldName("parameters") ?? null);
  const statements = init?.childForFieldName("body")?.namedChildren ?? [];
  const fields = statements.flatMap((statement) => {
    const node = statement.type === "expression_statement" ? statement.namedChildren[0] : undefined;
    return node?.type === "assignment" ? (setField(node, given, of) ?? []) : [];
  });
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** What a class of no special sort has without saying its type: `code = "not_found"`. It can be read as a field. */
export function attributes(assignments: readonly Assignment[], of: FieldClass): Field[] {
  return assignments.flatMap(({ name, annotation, value, start }): Field[] => {
    if (annotation !== null || value === null || name.startsWith("_")) return [];
    const common = { name, line: of.lineOf(start), isOptional: false, leftOutUnclear: true, isImplied: true };
    return [{ ...common, type: typeOfLiteral(value) }];
  });
}

function typeOfLiteral(value: Expression): ValueType {
  const plain = value.kind === "literal" ? JSON.parse(value.value) : null;
  if (typeof plain === "string" || typeof plain === "boolean") return named(typeof plain);
  if (typeof plain === "number") return named(/[.e]/i.test(value.text) ? "number" : "integer");
  return { kind: "unknown", text: value.text.slice(0, 40) };
}

type Parameter = { readonly type: Expression | null; readonly hasDefault: boolean };
type Parameters = ReadonlyMap<string, Parameter>;

function setField(node: SyntaxNode, given: Parameters, of: FieldClass): Field | null {
  const left = node.childForFieldName("left");
  const name = /^self\.([A-Za-z]\w*)$/.exec(left?.text ?? "")?.[1];
  if (left === null || name === undefined) return null;
  const written = node.childForFieldName("type");
  const right = node.childForFieldName("right");
  const parameter = right?.type === "identifier" ? given.get(right.text) : undefined;
  const said = written === null ? (parameter?.type ?? null) : expressionOf(written);
  const type: ValueType =
    said === null ? { kind: "unknown", text: right?.text.slice(0, 40) ?? "" } : valueType(said, of);
  return {
    name,
    type,
    isOptional: parameter?.hasDefault ?? false,
    line: of.lineOf(left.startIndex),
    ...(parameter === undefined ? { leftOutUnclear: true, isImplied: true } : {}),
  };
}

function parametersOf(node: SyntaxNode | null): Parameters {
  const found = (node?.namedChildren ?? []).map((one): [string, Parameter] => {
    const name = one.childForFieldName("name") ?? one.namedChildren[0] ?? one;
    const type = one.childForFieldName("type");
    return [
      name.text,
      {
        type: type === null ? null : expressionOf(type),
        hasDefault: one.childForFieldName("value") !== null,
      },
    ];
  });
  return new Map(found);
}
