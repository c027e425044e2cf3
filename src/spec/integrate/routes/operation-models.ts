import type { Doc } from "../../../formats/cpo/fields.ts";
import { find, type Tree } from "../../../formats/yaml/tree.ts";
import type { ModelUse } from "./route.ts";

const UNDECLARED: ModelUse = { kind: "undeclared" };
const MOST_STEPS = 20;

/** The models of a body, by the names of its schemas. A form or a file has none that code would name. */
export function contentModels(doc: Doc, content: Tree | null): ModelUse[] {
  const entries = content?.kind === "map" ? [...content.entries] : [];
  const json = entries.filter(([type]) => /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)/i.test(type));
  const uses = json.flatMap(([, { value }]) => schemaModels(doc, find(value, ["schema"]), []));
  return uses.length === 0 ? [UNDECLARED] : uses;
}

/** All ways to say the same: a name, the name that it stands for, a list by its own name or as a list. `names` led here. */
function schemaModels(doc: Doc, schema: Tree | null, names: readonly string[]): ModelUse[] {
  if (schema?.kind !== "map" || names.length > MOST_STEPS) return [UNDECLARED];
  const name = referenced(schema);
  if (name !== null) {
    if (names.includes(name)) return [UNDECLARED];
    const target = find(doc.tree, ["components", "schemas", name]);
    const more =
      target?.kind === "map" && isOtherName(target) ? schemaModels(doc, target, [...names, name]) : [];
    return [
      { kind: "declared", model: name, isList: false },
      ...more.filter(({ kind }) => kind === "declared"),
    ];
  }
  if (isOfType(schema, "array")) {
    const items = schemaModels(doc, find(schema, ["items"]), [...names, ""]);
    const lists = items.flatMap((use) =>
      use.kind === "declared" && !use.isList ? [{ ...use, isList: true }] : [],
    );
    return lists.length === 0 ? [UNDECLARED] : lists;
  }
  const choices = partsOf(schema, "oneOf") ?? partsOf(schema, "anyOf");
  if (choices !== null)
    return oneOf(
      doc,
      choices.filter((one) => !isNull(one)),
      names,
    );
  const parts =
    partsOf(schema, "allOf")?.filter((one) => find(one, ["$ref"]) !== null || saysMore(one)) ?? [];
  const [only, ...others] = parts;
  if (only === undefined) return [UNDECLARED];
  return others.length === 0 && !saysMore(schema) ? schemaModels(doc, only, [...names, ""]) : [UNDECLARED];
}

/** Several are no name that code would have. */
function oneOf(doc: Doc, choices: readonly Tree[], names: readonly string[]): ModelUse[] {
  const [only, ...others] = choices;
  if (only === undefined) return [UNDECLARED];
  if (others.length === 0) return schemaModels(doc, only, [...names, ""]);
  const all = choices.map((one) => (one.kind === "map" ? referenced(one) : null));
  return all.includes(null) ? [UNDECLARED] : [{ kind: "unclear", text: all.join(" | ") }];
}

/** Of `#/components/schemas/Order`. */
function referenced(schema: Extract<Tree, { kind: "map" }>): string | null {
  const reference = textOf(schema, "$ref");
  return reference === null ? null : (/([^/#]+?)(?:\.(?:json|ya?ml))?$/.exec(reference)?.[1] ?? null);
}

/** Nothing but another name, or a list. */
function isOtherName(schema: Tree): boolean {
  return (
    find(schema, ["$ref"]) !== null ||
    isOfType(schema, "array") ||
    (find(schema, ["allOf"]) !== null && !saysMore(schema))
  );
}

/** Fields of its own. */
function saysMore(schema: Tree): boolean {
  return ["properties", "additionalProperties", "required"].some((key) => find(schema, [key]) !== null);
}

function isNull(schema: Tree): boolean {
  return isOfType(schema, "null");
}

/** Since 3.1 there may be several. */
function isOfType(schema: Tree, type: string): boolean {
  const said = find(schema, ["type"]);
  const all = (said?.kind === "list" ? said.items : [said]).map((one) =>
    one?.kind === "scalar" ? one.value : null,
  );
  return (
    all.filter((one) => one !== "null" || type === "null").every((one) => one === type) && all.includes(type)
  );
}

function partsOf(schema: Tree, key: string): readonly Tree[] | null {
  const list = find(schema, [key]);
  return list?.kind === "list" ? list.items : null;
}

function textOf(schema: Tree, key: string): string | null {
  const node = find(schema, [key]);
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : null;
}
