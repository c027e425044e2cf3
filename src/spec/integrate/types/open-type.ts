import type { CodePlace } from "../finding.ts";
import { isKey, type LinkedType, type LinkedTypes, shapeWith } from "./link.ts";
import type { Field, NameType, ValueType } from "./shape.ts";

/** What a value can be as JSON: names followed, unions taken apart. */
export type OpenType = {
  readonly members: readonly OpenMember[];
  readonly hasNull: boolean;
  /** A part of it cannot be seen: nothing is said about the whole. */
  readonly isHidden: boolean;
  /** The enum that all of it comes from. */
  readonly values: TypeOwner | null;
};

export type OpenMember =
  | { readonly kind: "plain"; readonly name: PlainName }
  /** As JSON writes it. */
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "list"; readonly item: ValueType }
  | { readonly kind: "map"; readonly value: ValueType }
  | {
      readonly kind: "fields";
      readonly fields: readonly Field[];
      /** Why there may be more of them. */
      readonly more: string | null;
      readonly owner: TypeOwner | null;
    };

/** A declared type that fields belong to. */
export type TypeOwner = Pick<LinkedType, "key" | "name" | "sort"> & { readonly at: CodePlace };

export type PlainName = "string" | "integer" | "number" | "boolean" | "decimal";

const PLAIN: { readonly [name: string]: PlainName } = {
  ...{ string: "string", bytes: "string", datetime: "string", date: "string", time: "string" },
  ...{ duration: "string", uuid: "string", type: "string" },
  ...{ integer: "integer", number: "number", boolean: "boolean", decimal: "decimal" },
};

/** Names that lead to names, and types in types; more than people write. */
const DEEPEST = 12;

export function openType(type: ValueType, types: LinkedTypes, depth = 0): OpenType {
  if (depth > DEEPEST) return HIDDEN;
  switch (type.kind) {
    case "union":
      return joined(type.of.map((one) => openType(one, types, depth + 1)));
    case "literal":
      return only({ kind: "literal", value: type.value });
    case "fields":
      return only({ kind: "fields", fields: type.fields, more: null, owner: null });
    case "name":
      return openName(type, types, depth);
    case "unknown":
      return HIDDEN;
  }
}

const NOTHING: OpenType = { members: [], hasNull: false, isHidden: false, values: null };
const HIDDEN: OpenType = { ...NOTHING, isHidden: true };
const only = (member: OpenMember): OpenType => ({ ...NOTHING, members: [member] });

function joined(all: readonly OpenType[]): OpenType {
  const some = all.filter((one) => one.members.length > 0);
  return {
    values: some.length === 1 ? (some[0]?.values ?? null) : null,
    members: all.flatMap(({ members }) => members),
    hasNull: all.some(({ hasNull }) => hasNull),
    isHidden: all.some(({ isHidden }) => isHidden),
  };
}

function openName(type: NameType, types: LinkedTypes, depth: number): OpenType {
  const { name, args } = type;
  if (Object.hasOwn(PLAIN, name)) return only({ kind: "plain", name: PLAIN[name] as PlainName });
  if (name === "null" || name === "undefined") return { ...NOTHING, hasNull: true };
  if (/^(?:list|set)$/.test(name)) return only({ kind: "list", item: args[0] ?? ANY });
  if (name === "tuple") return only({ kind: "list", item: ANY });
  if (name === "map" || name === "object") return only({ kind: "map", value: args[1] ?? ANY });
  if (!isKey(name)) {
    const meant = types.expanded(type);
    return meant === type ? HIDDEN : openType(meant, types, depth + 1);
  }
  const found = types.byKey(name);
  if (found === null) return HIDDEN;
  const { key, shape: own, sort, file, line, name: called } = types.effective(found);
  const shape = shapeWith(own, args);
  if (shape.kind === "alias") return openType(shape.type, types, depth + 1);
  if (shape.kind === "unknown") return HIDDEN;
  const owner = { key, name: called, sort, at: { file, line } };
  if (shape.kind === "values") return { ...joined(shape.values.map(openValue)), values: owner };
  return only({ kind: "fields", fields: shape.fields, more: shape.more, owner });
}

const ANY: ValueType = { kind: "name", name: "any", args: [] };

/** `READ = 1 << 0` has a value that only a running program knows. */
function openValue(value: string): OpenType {
  return /^\w+ = /.test(value) ? HIDDEN : only({ kind: "literal", value });
}
