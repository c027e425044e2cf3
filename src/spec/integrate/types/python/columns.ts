import type { ValueType } from "../shape.ts";
import { anyType, named, nullType, unionOf } from "../value-types.ts";
import type { Expression } from "./expression.ts";
import type { Call } from "./fields.ts";
import type { Names } from "./names.ts";
import type { Around } from "./value-type.ts";

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

const TYPES: { readonly [name: string]: string } = {
  ...types("string", "String Text Unicode UnicodeText VARCHAR CHAR TEXT NVARCHAR CITEXT"),
  ...types("integer", "Integer BigInteger SmallInteger INTEGER BIGINT SMALLINT"),
  ...types("number", "Float Double REAL FLOAT DOUBLE"),
  ...types("decimal", "Numeric NUMERIC DECIMAL"),
  ...types("boolean", "Boolean BOOLEAN"),
  ...types("datetime", "DateTime TIMESTAMP DATETIME"),
  ...types("date", "Date DATE"),
  ...types("time", "Time TIME"),
  ...types("duration", "Interval INTERVAL"),
  ...types("uuid", "Uuid"),
  ...types("bytes", "LargeBinary BLOB BYTEA"),
};

function types(neutral: string, names: string): { [name: string]: string } {
  return Object.fromEntries(names.split(" ").map((name) => [name, neutral]));
}

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
    if (Object.hasOwn(TYPES, last)) return named(TYPES[last] as string);
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
