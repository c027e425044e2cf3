import type { SyntaxNode, SyntaxTree } from "../../../syntax/tree.ts";
import { constantType } from "./script/constants.ts";
import { type Declaration, declarationOf, meaningOf } from "./script/declarations.ts";
import { type Reading, type Side, TOP } from "./script/reading.ts";
import { readSchema } from "./script/schema.ts";
import { valuesIn } from "./script/schema-form.ts";
import { type ScriptSource, sourceOf } from "./script/source.ts";
import { readType } from "./script/type-nodes.ts";
import { isVast, unionOf, unknown } from "./script/value.ts";
import type { DeclaredShape, ModuleTypes, ValueType } from "./shape.ts";
import { named, shapeOf } from "./value-types.ts";

/**
 * The types that a file of TypeScript or JavaScript declares at its top and in its namespaces: interfaces, type aliases, classes,
 * enums, constants that stand for their values, and schemas of Zod. Where a type and a constant share a name, the type counts.
 * What is made from types of the same file is taken apart; what rests on others keeps their names.
 */
export function scriptTypes(tree: SyntaxTree): ModuleTypes {
  const source = sourceOf(tree);
  const reading = readingOf(source);
  const homes = homesIn(tree);
  const types = [...source.types].map(([name, nodes]) => {
    const at = nodes[0]?.childForFieldName("name") ?? (nodes[0] as SyntaxNode);
    return { name, at, ...(reading.declared(name) as Declaration) };
  });
  const constants = [...source.constants].flatMap(([name, { name: at }]) => {
    const found = source.types.has(name) ? null : ofConstant(name, reading);
    return found === null ? [] : [{ name, at, ...found }];
  });
  const all = [...types, ...constants, ...renamedTypes(source), ...defaultType(source)].map(
    ({ at, ...one }): DeclaredShape => {
      const home = homes(at.startIndex);
      const isHelper = source.inferred.has(one.name) || source.exported?.has(one.name) === false;
      const more = { ...(home === null ? {} : { home }), ...(isHelper ? { isHelper } : {}) };
      return { ...one, line: source.line(at), ...more };
    },
  );
  return { types: all.toSorted((one, other) => one.line - other.line) };
}

function ofConstant(name: string, { schemaValues, constant }: Reading): Declaration | null {
  const schema = schemaValues(name, "schema");
  if (schema !== null) return { shape: shapeOf(schema), bases: [], sort: "z.object" };
  const values = valuesIn(constant(name));
  return values === null ? null : { shape: shapeOf(values), bases: [], sort: "const" };
}

/** `export { orderSchema as Order }`. */
function renamedTypes({ renamed, types, constants, text }: ScriptSource) {
  return [...renamed].flatMap(([name, node]) => {
    const own = node.childForFieldName("name");
    const meant = own === null ? "" : text(own);
    const isKnown = (types.has(meant) || constants.has(meant)) && !types.has(name) && !constants.has(name);
    return isKnown && own !== null ? [{ name, at: own, ...handedOn(meant) }] : [];
  });
}

/** What others import under a name of their own. Nobody looks for a type of this name. */
function defaultType({ byDefault, types, constants }: ScriptSource) {
  const at = byDefault === null ? undefined : (types.get(byDefault)?.[0] ?? constants.get(byDefault)?.name);
  if (byDefault === null || at === undefined) return [];
  return [{ name: DEFAULT, at, ...handedOn(byDefault) }];
}

const handedOn = (name: string): Declaration => ({
  ...{ shape: { kind: "alias", type: named(name) }, bases: [], sort: "export" },
});

export const DEFAULT = "default";

function readingOf(source: ScriptSource) {
  const declared = once((name): Declaration | null => {
    const nodes = source.types.get(name);
    return nodes === undefined ? null : declarationOf(name, nodes, reading);
  });
  const meant = once((name): ValueType | null => {
    const declaration = declared.of(name);
    return declaration === null ? schemas.of(`schema ${name}`) : meaningOf(declaration, reading.known);
  });
  const schemas = once((key): ValueType | null => {
    const [side, name] = key.split(" ") as [Side, string];
    const found = source.constants.get(name);
    const schema = found === undefined ? null : readSchema(found.value, reading, side, TOP);
    if (schema === null) return null;
    if (isVast(schema.type)) return unknown(name);
    return schema.isOptional ? unionOf([schema.type, named("undefined")]) : schema.type;
  });
  const constants = once((name) => {
    const found = source.constants.get(name);
    return found === undefined ? null : constantType(found.value, source);
  });
  const isGeneric = (name: string) =>
    source.types.get(name)?.[0]?.childForFieldName("type_parameters") != null;
  const reading: Reading = {
    source,
    typeOf: (node, at) => readType(node, reading, at),
    known: (name) => (declared.isBusy(name) || isGeneric(name) ? null : meant.of(name)),
    schemaValues: (name, side) => schemas.of(`${side} ${name}`),
    constant: constants.of,
  };
  return { ...reading, declared: declared.of };
}

/** People do not rest so many names on each other; a hostile text does, for ever. */
const DEEPEST = 100;

/** Each name is read once. While it is read nobody knows it: who asks then is inside of it. */
function once<T>(read: (name: string) => T | null): {
  readonly of: (name: string) => T | null;
  readonly isBusy: (name: string) => boolean;
} {
  const kept = new Map<string, T | null>();
  const busy = new Set<string>();
  return {
    isBusy: (name) => busy.has(name),
    of: (name) => {
      const known = kept.get(name);
      if (known !== undefined || busy.has(name) || busy.size > DEEPEST) return known ?? null;
      busy.add(name);
      const found = read(name);
      busy.delete(name);
      kept.set(name, found);
      return found;
    },
  };
}

/** Which file a comment before a place names, as contracts say where their types are to be; null where none does. */
function homesIn({ root, text }: SyntaxTree): (at: number) => string | null {
  const homes = root.namedChildren.flatMap((node) => {
    const written = node.type === "comment" ? text.slice(node.startIndex, node.endIndex) : "";
    const path = HOME.exec(written)?.[1];
    return path === undefined ? [] : [{ at: node.startIndex, path }];
  });
  return (at) => homes.findLast((home) => home.at < at)?.path ?? null;
}

/** `// src/domain/orders.ts`, alone or with words behind it. */
const HOME = /^\/[/*][\s=*/-]*([\w.@/-]+\.[cm]?[jt]sx?)(?![\w/])/;
