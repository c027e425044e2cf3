import { HTTP_METHODS } from "../../../contracts/api-operations.ts";
import { reasons } from "../../reasons.ts";
import type { Expression } from "./expression.ts";
import { type FunctionFact, insideOf } from "./facts.ts";
import { type Found, type Lineage, lineageOf, type Place, type PythonProject } from "./project.ts";
import { textsIn } from "./uses.ts";

/** `X.as_view("x")` stands for the class `X`. */
export function classOf(view: Expression, place: Place, project: PythonProject): Found | null {
  if (view.kind !== "call" || view.callee.kind !== "name") return null;
  const [, name] = /^(.+)\.as_view$/.exec(view.callee.name) ?? [];
  return name === undefined ? null : project.look(name, place);
}

/** `hidden` says why there may be more than these; null: these are all. */
export type Methods = { readonly methods: readonly string[]; readonly hidden: string | null };

/** The methods of HTTP that a class has functions for, its own and those of its bases, of which some may not be `known`. */
export function methodsOfClass(found: Found, project: PythonProject, known: RegExp): Methods {
  const lineage = lineageOf(found, project);
  if (lineage === null) return { methods: [], hidden: reasons.unresolvedView };
  const strange = lineage.outside.find((name) => !known.test(name));
  const hidden = strange === undefined ? null : reasons.baseView(strange);
  const functions = functionsOf(lineage, project);
  const said = attributeOf("methods", lineage, project);
  if (said !== null) {
    const named = textsIn(said.value, said.place, project);
    return { methods: named ?? [], hidden: named === null ? reasons.computedMethods : hidden };
  }
  const own = ownMethods(functions);
  const isOne = own.length === 0 && functions.some(({ name }) => name === "dispatch_request");
  return { methods: isOne ? ["GET"] : [...new Set(own)], hidden };
}

/** All functions of a class, its own first. */
export function functionsOf({ classes }: Lineage, { modules }: PythonProject): FunctionFact[] {
  return classes.flatMap(({ path, fact }) => {
    const scope = insideOf(fact);
    return modules.get(path)?.facts.functions.filter((one) => one.scope === scope) ?? [];
  });
}

/** Those that are called as a method of HTTP. */
export const ownMethods = (functions: readonly FunctionFact[]): string[] =>
  functions.flatMap(({ name }) => (HTTP_METHODS.includes(name) ? [name.toUpperCase()] : []));

/** What a class, or the nearest of its bases, says under a name; null where none does. */
export function attributeOf(
  name: string,
  { classes }: Lineage,
  { modules }: PythonProject,
): { readonly value: Expression; readonly place: Place } | null {
  for (const { path, fact } of classes) {
    const scope = insideOf(fact);
    const binding = modules
      .get(path)
      ?.facts.bindings.findLast((one) => one.scope === scope && one.name === name);
    if (binding !== undefined) return { value: binding.value, place: { path, scope, line: binding.line } };
  }
  return null;
}
