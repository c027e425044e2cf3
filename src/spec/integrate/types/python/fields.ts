import type { LineOf } from "../../../../util/lines.ts";
import type { Field, ValueType } from "../shape.ts";
import { nullType, unionOf } from "../value-types.ts";
import { IMPLIED, LOOSE } from "./class-fields.ts";
import type { Call, Expression } from "./expression.ts";
import { forwardReference } from "./forward-reference.ts";
import { columnOf, isColumn, isModelField, isRelationship, modelField } from "./model-fields.ts";
import type { Names } from "./names.ts";
import type { Assignment } from "./source.ts";
import { type Around, valueType } from "./value-type.ts";

/** The class that a field stands in. */
export type FieldClass = Around & {
  readonly sort: string;
  /** Of its name. */
  readonly line: number;
  /** Of a TypedDict: what is not marked must be there. */
  readonly isTotal: boolean;
  readonly lineOf: LineOf;
  /** It may be of version 1 of pydantic. */
  readonly isFormer: boolean;
};

/** The field that a line in the body of a class makes; null where it makes none. */
export function fieldOf(assignment: Assignment, of: FieldClass): Field | null {
  const { name, annotation, value, start } = assignment;
  if (name.startsWith("_") || name === "model_config") return null;
  const line = of.lineOf(start);
  if (annotation === null) {
    const made = value?.kind === "call" ? unannotated(value, of) : null;
    return made === null ? null : { name, line, ...made };
  }
  const said = annotationOf(annotation, of.names);
  if (said.isNoField) return null;
  return { name, line, ...annotated(said, value, of) };
}

type Made = Omit<Field, "name" | "line">;

function annotated(said: Annotation, value: Expression | null, of: FieldClass): Made {
  const type = valueType(said.type, of);
  if (said.isRelation || (value?.kind === "call" && isRelationship(value, of.names)))
    return { type, ...IMPLIED };
  if (of.sort === "TypedDict" || said.isRequired !== null)
    return { type, isOptional: !(said.isRequired ?? of.isTotal) };
  if (said.isMapped || (value?.kind === "call" && isColumn(value, of.names))) return mapped(type, value, of);
  const calls = [value, ...said.about].flatMap((one) => (one !== null && isFieldCall(one, of) ? [one] : []));
  const isKey = calls.some((call) => call.named.get("primary_key")?.text === "True");
  const isUnknown = value?.kind === "call" && !calls.includes(value) && /(?:^|\.)field$/i.test(value.of.text);
  return {
    type: isNoneByDefault(value, calls) ? unionOf([type, nullType]) : type,
    isOptional: hasDefault(value, calls, of),
    ...aliasIn(calls),
    ...(of.isFormer && isBareOptional(type, value) ? { leftOutUnclear: true } : {}),
    ...(isUnknown ? { leftOutUnclear: true } : {}),
    // A key that the database gives may be null in the code, before it has been given.
    ...(isKey ? { leftOutUnclear: true, isImplied: true, isKey } : {}),
  };
}

/** In version 1 of pydantic what may be null may be left out; in version 2 it must be given. */
const isBareOptional = (type: ValueType, value: Expression | null) =>
  value === null &&
  type.kind === "union" &&
  type.of.some((one) => one.kind === "name" && one.name === "null");

/** `note: str = None` says that it may be null, as people wrote it before there was another way. */
function isNoneByDefault(value: Expression | null, calls: readonly Call[]): boolean {
  return value?.kind === "none" || calls.some(({ named }) => named.get("default")?.kind === "none");
}

/** `nullable` wins over the annotation, as it does when the table is made. */
function mapped(type: ValueType, value: Expression | null, of: FieldClass): Made {
  const isNullable = value?.kind === "call" ? value.named.get("nullable")?.text : undefined;
  const withNull = isNullable === "True" ? unionOf([type, nullType]) : type;
  const without =
    isNullable === "False" && type.kind === "union"
      ? unionOf(type.of.filter((one) => one.kind !== "name" || one.name !== "null"))
      : withNull;
  return { type: without, isOptional: hasDefault(value, [], of), leftOutUnclear: true };
}

/** Where the value says what the field is: `name = models.CharField(max_length=80)`. */
function unannotated(value: Call, of: FieldClass): Made | null {
  const { names, sort } = of;
  if (isRelationship(value, names)) return { type: { kind: "unknown", text: value.text }, ...IMPLIED };
  if (isColumn(value, names)) return { type: columnOf(value, of), ...LOOSE };
  if (isModelField(value, names, sort)) return modelField(value, of);
  const meaning = value.of.kind === "name" ? names.meaning(value.of.name) : "";
  if (!/^attr\.(?:ib|attrib|field)$/.test(meaning)) return null;
  const type = value.named.get("type");
  return {
    type: type === undefined ? { kind: "unknown", text: value.text } : valueType(type, of),
    isOptional: hasDefault(value, [value], of),
  };
}

const FIELD_CALLS =
  /^(?:dataclasses\.field|pydantic\.Field|sqlmodel\.Field|attr\.(?:ib|attrib|field)|msgspec\.field)$/;

function isFieldCall(value: Expression, { names }: FieldClass): value is Call {
  return value.kind === "call" && value.of.kind === "name" && FIELD_CALLS.test(names.meaning(value.of.name));
}

/** `Field(...)` and a mere `...` say that there is none, in pydantic; in others it stands for one. */
function hasDefault(value: Expression | null, calls: readonly Call[], of: FieldClass): boolean {
  const isPydantic = /^(?:BaseModel|SQLModel|RootModel)$/.test(of.sort);
  if (value !== null && value.kind !== "call" && !(value.kind === "ellipsis" && isPydantic)) return true;
  if (value?.kind === "call" && !calls.includes(value)) return true;
  return calls.some(({ of: called, args, named }) => {
    const meaning = called.kind === "name" ? of.names.meaning(called.name) : "";
    const takesFirst = /\.(?:Field|ib|attrib)$/.test(meaning);
    const given = named.get("default") ?? (takesFirst ? args[0] : undefined);
    if (given !== undefined && given.kind !== "ellipsis") return true;
    return named.has("default_factory") || named.has("factory") || named.get("init")?.text === "False";
  });
}

/** What it is called when it is read and written: `alias`, unless the two differ. */
function aliasIn(calls: readonly Call[]): { alias?: string } {
  for (const { named } of calls) {
    const given = named.get("serialization_alias") ?? named.get("alias") ?? named.get("name");
    if (given?.kind === "literal" && given.value.startsWith('"')) return { alias: JSON.parse(given.value) };
  }
  return {};
}

/** An annotation without what is only said about the field. */
type Annotation = {
  readonly type: Expression;
  /** `Required[…]`, `NotRequired[…]`; null: it does not say. */
  readonly isRequired: boolean | null;
  /** `ClassVar[…]`, `InitVar[…]`: nothing that an object has. */
  readonly isNoField: boolean;
  readonly isMapped: boolean;
  /** A relation that is loaded in parts. */
  readonly isRelation: boolean;
  /** What stands behind the type in `Annotated[…]`. */
  readonly about: readonly Expression[];
};

type Said = Omit<Annotation, "type">;

const NOTHING: Said = { isRequired: null, isNoField: false, isMapped: false, isRelation: false, about: [] };

/** What a form around the type says, by what it means. */
const FORMS: { readonly [meaning: string]: Partial<Said> } = {
  "typing.Annotated": {},
  "typing.Final": {},
  "typing.ReadOnly": {},
  "typing.Required": { isRequired: true },
  "typing.NotRequired": { isRequired: false },
  "sqlalchemy.Mapped": { isMapped: true },
  "sqlalchemy.WriteOnlyMapped": { isRelation: true },
  "sqlalchemy.DynamicMapped": { isRelation: true },
};
const NO_FIELD = /^(?:typing\.ClassVar|dataclasses\.(?:InitVar|KW_ONLY))$/;
const DEEPEST = 12;

function annotationOf(annotation: Expression, names: Names): Annotation {
  let type = annotation;
  let said = NOTHING;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (type.kind === "literal" && type.value.startsWith('"'))
      type = forwardReference(JSON.parse(type.value));
    const named = type.kind === "subscript" ? type.of : type;
    const meaning = named.kind === "name" ? names.meaning(named.name) : "";
    if (NO_FIELD.test(meaning)) return { ...said, type, isNoField: true };
    if (type.kind !== "subscript" || !Object.hasOwn(FORMS, meaning)) break;
    const [inner, ...about] = type.args;
    if (inner === undefined) break;
    said = { ...said, ...FORMS[meaning], about: [...said.about, ...about] };
    type = inner;
  }
  return { ...said, type };
}
