import type { NameType, ValueType } from "./shape.ts";

/** In whose words types are told: those of the language that both sides are written in. */
export type Words = "python" | "script";

const PYTHON: { readonly [neutral: string]: string } = {
  ...{ string: "str", integer: "int", number: "float", boolean: "bool", null: "None", any: "Any" },
  ...{ map: "dict", duration: "timedelta", decimal: "Decimal", uuid: "UUID" },
};
const SCRIPT: { readonly [neutral: string]: string } = {
  ...{ any: "unknown", integer: "bigint", bytes: "Uint8Array", map: "Record", set: "Set", datetime: "Date" },
};

/** A type as a person would write it. */
export function typeInWords(type: ValueType, words: Words, depth = 0): string {
  const inner = (one: ValueType) => (depth > 6 ? "…" : typeInWords(one, words, depth + 1));
  switch (type.kind) {
    case "literal":
      return words === "python" && depth === 0 ? `Literal[${type.value}]` : type.value;
    case "unknown":
      return type.text.length > 60 ? `${type.text.slice(0, 59)}…` : type.text;
    case "fields":
      return `{ ${type.fields.map((field) => `${field.name}${field.isOptional ? "?" : ""}: ${inner(field.type)}`).join("; ")} }`;
    case "union":
      return unionInWords(type.of, words, inner);
    case "name":
      return nameInWords(type, words, inner);
  }
}

type Inner = (one: ValueType) => string;

/** What may be null says so last. */
function unionInWords(of: readonly ValueType[], words: Words, inner: Inner): string {
  const isNull = (one: ValueType) => one.kind === "name" && one.name === "null";
  const literals = of.filter((one) => one.kind === "literal");
  const rest = of.filter((one) => one.kind !== "literal" && !isNull(one)).map(inner);
  const joined = literals.map(({ value }) => value);
  const values = words === "python" ? [`Literal[${joined.join(", ")}]`] : joined;
  return [...rest, ...(literals.length === 0 ? [] : values), ...of.filter(isNull).map(inner)].join(" | ");
}

function nameInWords({ name, args }: NameType, words: Words, inner: Inner): string {
  const table = words === "python" ? PYTHON : SCRIPT;
  const said = Object.hasOwn(table, name) ? (table[name] as string) : name.replace(/^.*#/, "");
  const [first] = args;
  const isOpen = args.every((one) => one.kind === "name" && one.name === "any");
  if (first === undefined || (isOpen && words === "python")) return said;
  if (words === "python" && name === "lookup") return `as in ${inner(first)}`;
  if (words === "python") return `${said}[${args.map(inner).join(", ")}]`;
  if (name === "list") return first.kind === "union" ? `(${inner(first)})[]` : `${inner(first)}[]`;
  if (name === "intersection") return args.map(inner).join(" & ");
  if (name === "lookup" && args[1] !== undefined) return `${inner(first)}[${inner(args[1])}]`;
  if (name === "keyof") return `keyof ${inner(first)}`;
  if (name === "tuple") return `[${args.map(inner).join(", ")}]`;
  return `${said}<${args.map(inner).join(", ")}>`;
}
