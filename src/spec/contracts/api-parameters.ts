import type { CodeParams } from "../../core/catalog.ts";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { countAt, type Doc } from "../../formats/cpo/fields.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "../../formats/yaml/tree.ts";
import { resolved } from "./api-references.ts";
import { buildContractFinding, type contractCatalog } from "./catalog.ts";

type Parameter = {
  readonly name: string;
  /** `path`, `query`, `header` or `cookie`; null where it does not say. */
  readonly in: string | null;
  readonly node: Extract<Tree, { kind: "map" }>;
  readonly at: SourceRange;
};

/** `isWhole`: nothing in it leads to another file. */
type Parameters = { readonly list: readonly Parameter[]; readonly isWhole: boolean };

/** Parameters of a path: complete, each once, and for each part in braces one that every operation has. */
export function checkParameters(doc: Doc, route: string, methods: readonly string[]): Diagnostic[] {
  const item = ["paths", route];
  const names = [...route.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? "");
  const shared = parametersAt(doc, [...item, "parameters"]);
  return [
    ...checkList(shared, names),
    ...methods.flatMap((method) => {
      const own = parametersAt(doc, [...item, method, "parameters"]);
      const at = keyRangeAt(doc.index, doc.tree, [...item, method]);
      const declared = own.isWhole && shared.isWhole ? [...own.list, ...shared.list] : null;
      return [...checkList(own, names), ...undeclared(names, declared, at)];
    }),
  ];
}

function parametersAt(doc: Doc, path: Path): Parameters {
  const found = countAt(doc, ...path).map((i) => ({ i, node: resolved(doc, find(doc.tree, [...path, i])) }));
  const list = found.flatMap(({ i, node }) => {
    if (node?.kind !== "map") return [];
    const name = textIn(node, "name") ?? "";
    return [{ name, in: textIn(node, "in"), node, at: rangeAt(doc.index, doc.tree, [...path, i]) }];
  });
  return { list, isWhole: list.length === found.length };
}

function textIn(node: Parameter["node"], key: string): string | null {
  const value = node.entries.get(key)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : null;
}

function checkList({ list }: Parameters, names: readonly string[]): Diagnostic[] {
  const known = new Set<string>();
  return list.flatMap((parameter) => {
    const key = `${parameter.in} ${parameter.name}`;
    const isAgain = known.has(key);
    known.add(key);
    if (isAgain) return [reportOperation({ kind: "repeated-parameter", name: parameter.name }, parameter)];
    return [...incomplete(parameter), ...misplaced(parameter, names)];
  });
}

function incomplete(parameter: Parameter): Diagnostic[] {
  const { node, name } = parameter;
  const missing = ["name", "in"].filter((key) => !node.entries.has(key));
  if (missing.length > 0) return [reportOperation({ kind: "incomplete-parameter", missing }, parameter)];
  const has = ["schema", "content"].filter((key) => node.entries.has(key));
  if (has.length === 1) return [];
  return [reportOperation({ kind: has.length === 0 ? "no-schema" : "two-schemas", name }, parameter)];
}

function misplaced(parameter: Parameter, names: readonly string[]): Diagnostic[] {
  const { name, node, at } = parameter;
  if (parameter.in !== "path") return [];
  if (!names.includes(name)) return [buildContractFinding("api-path", { kind: "not-in-path", name }, at)];
  const required = node.entries.get("required")?.value;
  if (required?.kind === "scalar" && required.value === true) return [];
  return [buildContractFinding("api-path", { kind: "not-required", name }, at)];
}

function undeclared(
  names: readonly string[],
  declared: readonly Parameter[] | null,
  at: SourceRange,
): Diagnostic[] {
  if (declared === null) return [];
  const isDeclared = (name: string) => declared.some((one) => one.in === "path" && one.name === name);
  return names
    .filter((name) => !isDeclared(name))
    .map((name) => buildContractFinding("api-path", { kind: "undeclared", name }, at));
}

function reportOperation(
  params: CodeParams<typeof contractCatalog, "api-operation">,
  { at }: Parameter,
): Diagnostic {
  return buildContractFinding("api-operation", params, at);
}
