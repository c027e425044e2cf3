import type { SyntaxNode } from "../../../../syntax/tree.ts";
import type { ValueType } from "../shape.ts";
import { bare, constantType } from "./constants.ts";
import { operated } from "./operators.ts";
import { type At, partsOf, type Reading } from "./reading.ts";
import { valuesIn } from "./schema-form.ts";
import { named, unknown } from "./value.ts";

/** What an interface or a class takes fields from. What a class only promises (`implements`) it has of its own. */
export function heritageOf(node: SyntaxNode, reading: Reading, at: At): ValueType[] {
  return partsOf(node).flatMap((part) => {
    if (part.type === "extends_type_clause") return partsOf(part).map((base) => reading.typeOf(base, at));
    if (part.type !== "class_heritage") return [];
    const clause = partsOf(part).find(({ type }) => type === "extends_clause");
    const isPlain = !partsOf(part).some(({ type }) => /_clause$/.test(type));
    const base = clause?.childForFieldName("value") ?? (isPlain ? partsOf(part)[0] : undefined);
    if (base === undefined) return [];
    const args = partsOf(clause?.childForFieldName("type_arguments") ?? null);
    const type = baseOf(base, reading, at);
    return [
      type.kind === "name" && args.length > 0
        ? { ...type, args: args.map((one) => reading.typeOf(one, at)) }
        : type,
    ];
  });
}

/** NestJS makes classes of classes by calls, which say the same as operations on types. */
const CALLS: Readonly<Record<string, string>> = {
  ...{ PartialType: "Partial", PickType: "Pick", OmitType: "Omit", IntersectionType: "intersection" },
};

function baseOf(node: SyntaxNode, reading: Reading, at: At): ValueType {
  const { source, typeOf } = reading;
  const text = source.text(node);
  if (node.type === "identifier") return typeOf(node, at);
  if (node.type === "member_expression") return /^[\w$.]+$/.test(text) ? named(text) : unknown(text);
  const called = node.type === "call_expression" ? node.childForFieldName("function") : null;
  const args = partsOf(node.childForFieldName("arguments"));
  if (called === null || at.depth > DEEPEST) return unknown(text);
  const name = source.text(called).replace(/^.*\./, "");
  const inside = { ...at, depth: at.depth + 1 };
  if (name === "createZodDto" && args[0]?.type === "identifier")
    return schemaIn(args[0], reading) ?? unknown(text);
  const operator = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (operator === undefined) return unknown(text);
  const types = args.map((arg, i) =>
    isKeys(operator, i) ? keysIn(arg, reading) : baseOf(arg, reading, inside),
  );
  const isWhole = types.length > 0 && types.every((type) => type !== null && type.kind !== "unknown");
  return isWhole ? operated(named(operator, ...(types as ValueType[])), reading.known) : unknown(text);
}

const DEEPEST = 10;

const isKeys = (operator: string, i: number): boolean =>
  i === 1 && (operator === "Pick" || operator === "Omit");

/** `["id", "createdAt"] as const`. */
function keysIn(node: SyntaxNode, { source }: Reading): ValueType | null {
  return valuesIn(constantType(bare(node).node, { ...source, isJavaScript: true }));
}

function schemaIn(node: SyntaxNode, { source, schemaValues }: Reading): ValueType | null {
  const name = source.text(node);
  return source.constants.has(name) ? schemaValues(name, "output") : named(name);
}
