import type { Field, ValueType } from "../shape.ts";
import { anyType, named, nullType, unionOf } from "../value-types.ts";
import { IMPLIED, LOOSE } from "./class-fields.ts";
import type { Call, Expression } from "./expression.ts";
import { byName } from "./known-types.ts";
import type { Names } from "./names.ts";
import type { Around } from "./value-type.ts";

/** Fields of Django's models and of serializers of its REST framework: `models.CharField(…)`, `serializers.CharField(…)`. */
export function isModelField(value: Call, names: Names, sort: string): boolean {
  if (value.of.kind !== "name") return false;
  const [root, name = ""] = names.meaning(value.of.name).split(".");
  if (root === "django" || root === "rest_framework") return FIELD.test(name);
  // A project's own kinds of fields, and serializers in serializers.
  return /^(?:django model|serializer)$/.test(sort) && FIELD.test(name);
}

const FIELD = /(?:Field|^ForeignKey|^GenericForeignKey|^GenericRelation|^ParentalKey|Serializer)$/;
const RELATION = /^(?:\w*ForeignKey|OneToOneField|\w*ManyToManyField|GenericRelation|ParentalKey)$/;

type Made = Omit<Field, "name" | "line">;

export function modelField(value: Call, around: Around): Made {
  const name = value.of.kind === "name" ? around.names.meaning(value.of.name) : "";
  const last = name.split(".")[1] ?? "";
  if (name.startsWith("rest_framework.") || last.endsWith("Serializer"))
    return serializerField(value, last, around);
  const isNull = isTrue(value, "null") || last === "NullBooleanField";
  if (RELATION.test(last)) return { type: orNull(target(value, around), isNull), ...IMPLIED };
  const unknown: ValueType = { kind: "unknown", text: value.text };
  const type = name.startsWith("django.") ? typeOf(value, last, around) : unknown;
  return { type: orNull(type, isNull), ...LOOSE };
}

/** What is only read or only written is there in one direction, so it cannot be said whether it may be left out. */
function serializerField(value: Call, last: string, around: Around): Made {
  const isOneWay = isTrue(value, "read_only") || isTrue(value, "write_only");
  const single: ValueType = last.endsWith("Serializer")
    ? named(value.of.kind === "name" ? value.of.name : last)
    : typeOf(value, last, around);
  const type = isTrue(value, "many") ? named("list", single) : single;
  return {
    type: orNull(type, isTrue(value, "allow_null")),
    isOptional: value.named.get("required")?.text === "False" || value.named.has("default"),
    ...(isOneWay ? { leftOutUnclear: true } : {}),
  };
}

const TYPES = byName({
  string: "Char Text Slug Email URL FilePath GenericIPAddress IPAddress Regex",
  integer:
    "Integer BigInteger SmallInteger PositiveInteger PositiveBigInteger PositiveSmallInteger Auto BigAuto SmallAuto",
  ...{ number: "Float", decimal: "Decimal", boolean: "Boolean NullBoolean", datetime: "DateTime" },
  ...{ date: "Date", time: "Time", duration: "Duration", uuid: "UUID", bytes: "Binary", any: "JSON" },
});

function typeOf(value: Call, field: string, around: Around): ValueType {
  const unknown: ValueType = { kind: "unknown", text: value.text };
  const choices = value.named.get("choices");
  if (choices !== undefined)
    return field.startsWith("Multiple") ? unknown : (chosen(choices, around) ?? unknown);
  const plain = field.endsWith("Field") ? TYPES.get(field.slice(0, -"Field".length)) : undefined;
  if (plain !== undefined) return named(plain);
  const item =
    field === "ArrayField" ? (value.args[0] ?? value.named.get("base_field")) : value.named.get("child");
  if (item?.kind === "call" && /^(?:Array|List)Field$/.test(field))
    return named("list", modelField(item, around).type);
  return unknown;
}

/** `Status.choices`, or the enum itself, which newer versions take too. A list of pairs says nothing about a type of the project. */
function chosen(choices: Expression, { names, scope }: Around): ValueType | null {
  if (choices.kind !== "name") return null;
  const name = choices.name.replace(/\.choices$/, "");
  return /^[A-Z]\w*[a-z]/.test(name.split(".").at(-1) ?? "") ? named(names.inScope(name, scope)) : null;
}

/** `ForeignKey(Product)`, `ForeignKey("shop.Product")`. */
function target(value: Call, { scope }: Around): ValueType {
  const given = value.args[0] ?? value.named.get("to");
  const name =
    given?.kind === "name"
      ? given.name
      : given?.kind === "literal" && given.value.startsWith('"')
        ? (JSON.parse(given.value) as string).split(".").at(-1)
        : undefined;
  if (name === undefined || !/^\w/.test(name)) return { kind: "unknown", text: value.text };
  return named(name === "self" ? scope : name);
}

const isTrue = (value: Call, name: string) => value.named.get(name)?.text === "True";
const orNull = (type: ValueType, isNull: boolean) => (isNull ? unionOf([type, nullType]) : type);

/** `Column(…)`, `db.Column(…)`, `mapped_column(…)` of SQLAlchemy. */
export const isColumn = (value: Call, names: Names): boolean =>
  isCalled(value, names, /^(?:Column|mapped_column)$/);

/** They are loaded when somebody asks for them, and no data of the row. */
export const isRelationship = (value: Call, names: Names): boolean =>
  isCalled(
    value,
    names,
    /^(?:relationship|Relationship|backref|dynamic_loader|association_proxy|synonym|column_property)$/,
  );

/** Of the package, or of the object that everybody calls `db`. */
function isCalled({ of }: Call, names: Names, what: RegExp): boolean {
  if (of.kind !== "name") return false;
  const last = of.name.split(".").at(-1) ?? "";
  const meaning = names.meaning(of.name);
  return /^(?:sqlalchemy|sqlmodel)\./.test(meaning)
    ? what.test(meaning.split(".")[1] ?? "")
    : of.name === `db.${last}` && what.test(last);
}

const COLUMN_TYPES = byName({
  string: "String Text Unicode UnicodeText VARCHAR CHAR TEXT NVARCHAR CITEXT",
  integer: "Integer BigInteger SmallInteger INTEGER BIGINT SMALLINT",
  ...{ number: "Float Double REAL FLOAT DOUBLE", decimal: "Numeric NUMERIC DECIMAL" },
  ...{ boolean: "Boolean BOOLEAN", datetime: "DateTime TIMESTAMP DATETIME", date: "Date DATE" },
  ...{ time: "Time TIME", duration: "Interval INTERVAL", uuid: "Uuid", bytes: "LargeBinary BLOB BYTEA" },
});

/** A column takes null unless it says otherwise or is a key. */
export function columnOf(value: Call, around: Around): ValueType {
  const type = columnType(value, around);
  const isKey = value.named.get("primary_key")?.text === "True";
  const isNullable = value.named.get("nullable")?.text ?? (isKey ? "False" : "True");
  return isNullable === "False" ? type : unionOf([type, nullType]);
}

function columnType(value: Call, { names }: Around): ValueType {
  for (const one of [...value.args, value.named.get("type_")]) {
    const given = one?.kind === "call" ? one.of : one;
    if (given?.kind !== "name") continue;
    const meaning = names.meaning(given.name);
    const isOwn = !/^(?:sqlalchemy|sqlmodel)\./.test(meaning);
    if (isOwn && !given.name.startsWith("db.")) break;
    const last = (isOwn ? given.name : meaning).split(".").at(-1) ?? "";
    const plain = COLUMN_TYPES.get(last);
    if (plain !== undefined) return named(plain);
    if (/^JSONB?$/.test(last)) return anyType;
    if (last === "Enum" && one?.kind === "call") return enumOf(one);
    if (last !== "ForeignKey") break;
  }
  return { kind: "unknown", text: value.text };
}

/** `Enum(Status)`, `Enum("active", "closed")`. */
function enumOf({ args, text }: Call): ValueType {
  const [first] = args;
  if (first?.kind === "name") return named(first.name);
  const values = args.flatMap((one: Expression) => (one.kind === "literal" ? [one.value] : []));
  return values.length === 0 || values.length < args.length
    ? { kind: "unknown", text }
    : unionOf(values.map((value) => ({ kind: "literal", value })));
}
