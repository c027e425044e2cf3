import type { Doc } from "../../../formats/cpo/fields.ts";
import { find, type Tree } from "../../../formats/yaml/tree.ts";
import { type ModelUse, UNDECLARED } from "./route.ts";

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
  const inside = (one: Tree | null) => schemaModels(doc, one, [...names, ""]);
  const name = referenced(schema);
  if (name !== null) {
    if (names.includes(name)) return [UNDECLARED];
    const target = find(doc.tree, ["components", "schemas", name]);
    // Nothing but another name, or a list.
    const isOtherName =
      target?.kind === "map" &&
      (find(target, ["$ref"]) !== null ||
        isOfType(target, "array") ||
        (find(target, ["allOf"]) !== null && !saysMore(target)));
    const more = isOtherName ? schemaModels(doc, target, [...names, name]) : [];
    return [
      { kind: "declared", model: name, isList: false },
      ...more.filter(({ kind }) => kind === "declared"),
    ];
  }
  if (isOfType(schema, "array")) {
    const lists = inside(find(schema, ["items"])).flatMap((use) =>
      use.kind === "declared" && !use.isList ? [{ ...use, isList: true }] : [],
    );
    return lists.length === 0 ? [UNDECLARED] : lists;
  }
  const choices = (partsOf(schema, "oneOf") ?? partsOf(schema, "anyOf"))?.filter(
    (one) => !isOfType(one, "null"),
  );
  const parts =
    partsOf(schema, "allOf")?.filter((one) => find(one, ["$ref"]) !== null || saysMore(one)) ?? [];
  const [only, ...others] = choices ?? parts;
  if (only === undefined) return [UNDECLARED];
  if (others.length === 0 && (choices !== undefined || !saysMore(schema))) return inside(only);
  // Several are no name that code would have.
  const all = (choices ?? []).map((one) => (one.kind === "map" ? referenced(one) : null));
  return all.length === 0 || all.includes(null) ? [UNDECLARED] : [{ kind: "unclear", text: all.join(" | ") }];
}

/** Of `#/components/schemas/Order`. */
function referenced(schema: Tree): string | null {
  const reference = find(schema, ["$ref"]);
  const text = reference?.kind === "scalar" && typeof reference.value === "string" ? reference.value : "";
  return /([^/#]+?)(?:\.(?:json|ya?ml))?$/.exec(text)?.[1] ?? null;
}

/** Fields of its own. */
function saysMore(schema: Tree): boolean {
  return ["properties", "additionalProperties", "required"].some((key) => find(schema, [key]) !== null);
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
