import type { SyntaxNode } from "../../../../syntax/tree.ts";
import type { LineOf } from "../../../../util/lines.ts";
import type { DeclaredShape, Field, TypeShape } from "../shape.ts";
import { named } from "../value-types.ts";
import {
  attributes,
  IMPLIED,
  initFields,
  propertyFields,
  type Serialized,
  serializedFields,
} from "./class-fields.ts";
import { type Expression, expressionOf } from "./expression.ts";
import { type FieldClass, fieldOf } from "./fields.ts";
import type { Names } from "./names.ts";
import { type ClassSort, classSort } from "./sorts.ts";
import { type Assignment, assignmentsIn, type ClassNode, classIn } from "./source.ts";
import { valueType } from "./value-type.ts";

export type Place = {
  readonly names: Names;
  /** What it is nested in: empty, or `Order`. */
  readonly scope: string;
  readonly lineOf: LineOf;
  /** The file takes from pydantic what only its version 1 has, or what version 2 has for those who come from there. */
  readonly isFormer: boolean;
};

/** Options of a class, no types of anybody. */
const OPTIONS = /^(?:Config|Meta|Params)$/;
const DEEPEST = 10;

/** The class and those that are nested in it. */
export function readClass({ node, decorators }: ClassNode, place: Place, depth = 0): DeclaredShape[] {
  const nameNode = node.childForFieldName("name");
  if (nameNode === null || depth > DEEPEST) return [];
  const scope = place.scope === "" ? nameNode.text : `${place.scope}.${nameNode.text}`;
  const body = node.childForFieldName("body")?.namedChildren ?? [];
  const nested = body.flatMap((statement) => {
    const inner = classIn(statement);
    const isOption = OPTIONS.test(inner?.node.childForFieldName("name")?.text ?? "");
    return inner === null || isOption ? [] : readClass(inner, { ...place, scope }, depth + 1);
  });
  const head = headOf(node);
  const found = classSort(head.bases, decorators, place.names);
  const assignments = body.flatMap(assignmentsIn);
  const isDict = head.named.has("total");
  const byFields = isDict ? "TypedDict" : sortByFields(assignments, place.names);
  const sort = found.sort === "class" ? { ...found, sort: byFields } : found;
  const fieldClass: FieldClass = {
    ...{ names: place.names, lineOf: place.lineOf, scope },
    sort: sort.sort,
    line: place.lineOf(nameNode.startIndex),
    isTotal: head.named.get("total")?.text !== "False",
    isFormer: sort.sort !== "dataclass" && (place.isFormer || isFormer(body)),
    parameters: parametersOf(node, head.bases, place.names),
  };
  const args = sort.baseArguments.map((some) => some.map((one) => valueType(one, fieldClass)));
  const model = fromMetaOf({ sort, body, fieldClass }).base;
  const declared = {
    name: scope,
    line: fieldClass.line,
    bases: [...sort.bases, ...(model === undefined ? [] : [model])].map((base) =>
      place.names.inScope(base, place.scope),
    ),
    ...shapeOf({ body, assignments, sort, fieldClass, bases: head.bases }),
    ...(hasNameRule(body, head.named) ? { hasNameRule: true } : {}),
    ...(args.some((some) => some.length > 0) ? { baseArguments: args } : {}),
  };
  return [declared, ...nested];
}

/** `class Page[T]`, `class Page(BaseModel, Generic[T])`. */
function parametersOf(node: SyntaxNode, bases: readonly Expression[], names: Names): readonly string[] {
  const written = node.childForFieldName("type_parameters");
  if (written !== null) return written.namedChildren.map(({ text }) => /^\**(\w+)/.exec(text)?.[1] ?? "");
  const generic = bases.find(
    (base) =>
      base.kind === "subscript" &&
      base.of.kind === "name" &&
      /^typing\.(?:Generic|Protocol)$/.test(names.meaning(base.of.name)),
  );
  return generic?.kind === "subscript" ? generic.args.map(({ text }) => text) : [];
}

/** `alias_generator=to_camel` of pydantic, wherever it may stand, and `fields` of its version 1; `rename="camel"` of msgspec. */
function hasNameRule(body: readonly SyntaxNode[], named: ReadonlyMap<string, Expression>): boolean {
  if (named.has("alias_generator") || named.has("rename")) return true;
  return body.some(
    (statement) => CONFIG.test(statement.text) && /\balias_generator\b|^\s+fields\s*=/m.test(statement.text),
  );
}

/** Options that version 2 of pydantic calls otherwise. */
const isFormer = (body: readonly SyntaxNode[]): boolean =>
  body.some(({ text }) => /^class\s+Config\b/.test(text) && FORMER.test(text));

const FORMER =
  /\b(?:orm_mode|allow_population_by_field_name|anystr_\w+|schema_extra|allow_mutation|validate_all|smart_union)\b/;

const CONFIG = /^(?:model_config\b|class\s+Config\b)/;

/** The names of a class and of those nested in it. */
export function classNames(node: SyntaxNode, scope: string, depth = 0): string[] {
  const name = node.childForFieldName("name")?.text;
  if (name === undefined || depth > DEEPEST) return [];
  const full = scope === "" ? name : `${scope}.${name}`;
  const body = node.childForFieldName("body")?.namedChildren ?? [];
  const inner = body.flatMap((statement) => {
    const found = classIn(statement);
    return found === null ? [] : classNames(found.node, full, depth + 1);
  });
  return [full, ...inner];
}

type Head = { readonly bases: readonly Expression[]; readonly named: ReadonlyMap<string, Expression> };

function headOf(node: SyntaxNode): Head {
  const named = new Map<string, Expression>();
  const bases: Expression[] = [];
  for (const one of node.childForFieldName("superclasses")?.namedChildren ?? []) {
    const [name, value] = [one.childForFieldName("name"), one.childForFieldName("value")];
    if (one.type === "keyword_argument" && name !== null && value !== null)
      named.set(name.text, expressionOf(value));
    else if (one.type !== "comment") bases.push(expressionOf(one));
  }
  return { bases, named };
}

type ClassBody = {
  readonly body: readonly SyntaxNode[];
  readonly assignments: readonly Assignment[];
  readonly sort: ClassSort;
  readonly fieldClass: FieldClass;
  readonly bases: readonly Expression[];
};

function shapeOf(of: ClassBody): Pick<DeclaredShape, "shape" | "sort" | "members"> {
  const { body, assignments, sort, fieldClass } = of;
  const root = ROOTS[sort.sort];
  const value = assignments.find(({ name }) => root !== undefined && name === root)?.annotation;
  if (value) return { shape: { kind: "alias", type: valueType(value, fieldClass) }, sort: sort.sort };
  const members = sort.isEnum || sort.bases.length > 0 ? enumValues(assignments, enumClass(of)) : [];
  if (sort.isEnum) return { shape: { kind: "values", values: members }, sort: "Enum" };
  const written = assignments.flatMap((assignment) => fieldOf(assignment, fieldClass) ?? []);
  const isPlain = sort.sort === "class" || sort.sort === "error";
  const inInit = isPlain ? [...attributes(assignments, fieldClass), ...initFields(body, fieldClass)] : [];
  const { fields: fromMeta, more } = fromMetaOf(of);
  const fields = [
    ...overlay([...fromMeta, ...propertyFields(body, fieldClass), ...inInit], written),
    ...(sort.sort === "django model" ? impliedFields(written, assignments, fieldClass) : []),
  ];
  const isEmpty = fields.every(({ isImplied }) => isImplied === true);
  const isValue = sort.valueBase !== null && isEmpty && sort.bases.length === 0;
  const shape: TypeShape =
    isValue && sort.valueBase !== null
      ? { kind: "alias", type: valueType(sort.valueBase, fieldClass) }
      : { kind: "fields", fields, more };
  return { shape, sort: sort.sort, ...(members.length > 0 ? { members } : {}) };
}

/** The field of pydantic that a model is nothing but. */
const ROOTS: { readonly [sort: string]: string } = { RootModel: "root", BaseModel: "__root__" };

/** Who says how values are given does so in a method of its own. */
const enumClass = ({ body, bases, fieldClass }: ClassBody) => ({
  names: fieldClass.names,
  bases: bases.flatMap((base) => (base.kind === "name" ? [base.name] : [])),
  ownAuto: body.some((statement) => /\bdef _generate_next_value_\b/.test(statement.text)),
});

const fromMetaOf = ({ sort, body, fieldClass }: Pick<ClassBody, "sort" | "body" | "fieldClass">) =>
  sort.sort === "serializer" ? serializedFields(body, fieldClass) : NO_META;

const NO_META: Serialized = { fields: [], more: null };

/** Later ones take the place of earlier ones of their name. */
function overlay(earlier: readonly Field[], later: readonly Field[]): Field[] {
  const byName = new Map([...earlier, ...later].map((field) => [field.name, field]));
  return [...byName.values()];
}

/** A model whose base is in another file is known by its fields. */
function sortByFields(assignments: readonly Assignment[], names: Names): string {
  for (const { value, annotation } of assignments) {
    const called = value?.kind === "call" && value.of.kind === "name" ? names.meaning(value.of.name) : "";
    if (/^django\.\w*(?:Field|ForeignKey)$/.test(called)) return "django model";
    if (/^rest_framework\.\w*Field$/.test(called)) return "serializer";
    const type = annotation?.kind === "subscript" && annotation.of.kind === "name" ? annotation.of.name : "";
    if (/^sqlalchemy\.(?:Column|mapped_column)$/.test(called) || names.meaning(type) === "sqlalchemy.Mapped")
      return "sqlalchemy model";
  }
  return "class";
}

/** What Django adds: a key where none is written, and the keys of those it points to. */
function impliedFields(written: readonly Field[], lines: readonly Assignment[], of: FieldClass): Field[] {
  const has = new Set(written.map(({ name }) => name));
  const implied = (name: string, line: number, type: Field["type"]): Field[] =>
    has.has(name) ? [] : [{ name, type, line, ...IMPLIED }];
  const keys = written.flatMap(({ name, line, isImplied }) =>
    isImplied === true ? implied(`${name}_id`, line, { kind: "unknown", text: `the key of ${name}` }) : [],
  );
  const hasKey = lines.some(
    ({ value }) => value?.kind === "call" && value.named.get("primary_key")?.text === "True",
  );
  const id = hasKey ? [] : implied("id", written[0]?.line ?? of.line, named("integer"));
  return [...id.map((field) => ({ ...field, isKey: true })), ...keys];
}

/** What is known of the class that members are in. */
type EnumClass = { readonly bases: readonly string[]; readonly names: Names; readonly ownAuto: boolean };

/**
 * The values of an enum, each once, as JSON writes them. What only a program that runs can know stays as it is written, with its
 * name: `READ = 1 << 0`, `RED = auto()`; two enums that are written alike are alike.
 */
function enumValues(assignments: readonly Assignment[], of: EnumClass): string[] {
  const values = assignments.flatMap(({ name, value }) =>
    value === null || name.startsWith("_") ? [] : (memberValue(name, value, of) ?? []),
  );
  return [...new Set(values)];
}

function memberValue(name: string, value: Expression, { bases, names, ownAuto }: EnumClass): string | null {
  const written = `${name} = ${value.text}`;
  switch (value.kind) {
    case "literal":
      return value.value;
    case "list": {
      // With the label that Django shows: `ACTIVE = "active", "Active"`.
      const [first] = value.of;
      const isChoice = bases.some((base) => /^django\.(?:Text|Integer)Choices$/.test(names.meaning(base)));
      return isChoice && first?.kind === "literal" ? first.value : written;
    }
    case "call": {
      const meaning = value.of.kind === "name" ? names.meaning(value.of.name) : "";
      if (meaning === "enum.nonmember") return null;
      const [first] = value.args;
      if (meaning === "enum.member" && first !== undefined)
        return first.kind === "literal" ? first.value : written;
      // By definition, the name in small letters.
      const isText = bases.some((base) => names.meaning(base) === "enum.StrEnum");
      return meaning === "enum.auto" && isText && !ownAuto ? JSON.stringify(name.toLowerCase()) : written;
    }
    default:
      return written;
  }
}
