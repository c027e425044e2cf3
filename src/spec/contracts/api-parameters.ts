import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import { countAt, type Doc } from "../../formats/cpo/fields.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "../../formats/yaml/tree.ts";
import { resolved } from "./api-references.ts";
import type { ContractCode } from "./codes.ts";

/** As an operation or a path lists it. */
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
    const about = quoted(parameter.name);
    if (isAgain)
      return [problem("api-operation", parameter, `the parameter ${about} is listed twice`, "keep one")];
    return [...incomplete(parameter), ...misplaced(parameter, names)];
  });
}

function incomplete(parameter: Parameter): Diagnostic[] {
  const { node, name } = parameter;
  const say = (message: string, hint: string) => problem("api-operation", parameter, message, hint);
  const missing = ["name", "in"].filter((key) => !node.entries.has(key));
  if (missing.length > 0)
    return [
      say(`a parameter has no ${missing.map(quoted).join(" and no ")}`, `add ${missing.join(" and ")}`),
    ];
  const has = ["schema", "content"].filter((key) => node.entries.has(key));
  if (has.length === 1) return [];
  const what = has.length === 0 ? "neither a schema nor a content" : "both a schema and a content";
  return [say(`the parameter ${quoted(name)} has ${what}`, "say what it is: schema: { type: string }")];
}

function misplaced(parameter: Parameter, names: readonly string[]): Diagnostic[] {
  const { name, node } = parameter;
  if (parameter.in !== "path") return [];
  const say = (message: string, hint: string) => [problem("api-path", parameter, message, hint)];
  if (!names.includes(name))
    return say(
      `the parameter ${quoted(name)} is not in the path`,
      `put {${name}} into the path, or say in: query`,
    );
  const required = node.entries.get("required")?.value;
  if (required?.kind === "scalar" && required.value === true) return [];
  return say(`the parameter ${quoted(name)} is part of the path, so it is required`, "add required: true");
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
    .map((name) =>
      diagnostic({
        code: "api-path" satisfies ContractCode,
        message: `the part ${quoted(`{${name}}`)} of the path is not declared as a parameter`,
        at,
        hint: `add { name: ${name}, in: path, required: true, schema: { type: string } }`,
      }),
    );
}

function problem(code: ContractCode, { at }: Parameter, message: string, hint: string): Diagnostic {
  return diagnostic({ code, message, at, hint });
}
