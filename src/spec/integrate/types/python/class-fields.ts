import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { reasons } from "../../reasons.ts";
import type { Field, ValueType } from "../shape.ts";
import { named, named as typeNamed } from "../value-types.ts";
import { type Expression, expressionOf } from "./expression.ts";
import type { FieldClass } from "./fields.ts";
import { type Assignment, assignmentsIn, classIn } from "./source.ts";
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
    return [{ name, line: of.lineOf(start), ...IMPLIED, type: typeOfLiteral(value) }];
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
    return [{ name: name.text, type, line, ...IMPLIED }];
  });
}

const COMPUTED = /^@\s*(?:[\w.]*\.)?computed_field\b/;
const PROPERTY = /^@\s*(?:[\w.]*\.)?(?:\w*_)?property\b/;

export type Serialized = {
  readonly fields: readonly Field[];
  readonly more: string | null;
  /** The model, where it takes all of its fields. */
  readonly base?: string;
};

/**
 * What a serializer takes from its model: the fields that its `Meta` names. What they are is said in the model, which may be in
 * another file: so it is looked up there, as in `Product["name"]`, or taken as a base where it takes all of them.
 */
export function serializedFields(body: readonly SyntaxNode[], { lineOf }: FieldClass): Serialized {
  const meta = body.map(classIn).find((one) => one?.node.childForFieldName("name")?.text === "Meta");
  const options = (meta?.node.childForFieldName("body")?.namedChildren ?? []).flatMap(assignmentsIn);
  const named = options.find(({ name }) => name === "fields");
  const given = options.find(({ name }) => name === "model")?.value;
  const model = given?.text ?? null;
  if (named?.value?.kind === "literal" && named.value.value === '"__all__"' && given?.kind === "name")
    return { fields: [], more: null, base: given.name };
  if (named?.value?.kind !== "list")
    return { fields: [], more: model === null ? null : reasons.fieldsFrom(model) };
  const fields = named.value.of.flatMap((one): Field[] =>
    one.kind === "literal" && one.value.startsWith('"')
      ? [
          {
            name: JSON.parse(one.value),
            type:
              given?.kind === "name"
                ? typeNamed("lookup", typeNamed(given.name), { kind: "literal", value: one.value })
                : { kind: "unknown", text: model === null ? one.text : `as in ${model}` },
            ...LOOSE,
            line: lineOf(named.start),
          },
        ]
      : [],
  );
  const isAll = fields.length === named.value.of.length;
  return { fields, more: isAll ? null : reasons.unlistedFields };
}

/** The text does not say whether it may be left out. */
export const LOOSE = { isOptional: false, leftOutUnclear: true } as const;

/** It is there without being one of the data. */
export const IMPLIED = { ...LOOSE, isImplied: true } as const;
