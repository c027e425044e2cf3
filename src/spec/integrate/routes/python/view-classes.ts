import type { Expression } from "./expression.ts";
import { type FunctionFact, insideOf } from "./facts.ts";
import type { Found, Place } from "./found.ts";
import { type Lineage, lineageOf, type PythonProject } from "./project.ts";

const METHODS = /^(?:get|post|put|patch|delete|head|options|trace)$/;

/** `X.as_view("x")` stands for the class `X`. */
export function classOf(view: Expression, place: Place, project: PythonProject): Found | null {
  if (view.kind !== "call" || view.callee.kind !== "name") return null;
  const [, name] = /^(.+)\.as_view$/.exec(view.callee.name) ?? [];
  return name === undefined ? null : project.look(name, place);
}

/** The methods of HTTP that a class has functions for, its own and those of its bases; a text says why they are not all seen. */
export function methodsOfClass(
  found: Found,
  project: PythonProject,
  known: RegExp,
): readonly string[] | string {
  const lineage = lineageOf(found, project);
  if (lineage === null) return "its view cannot be followed";
  const strange = lineage.outside.find((name) => !known.test(name));
  if (strange !== undefined) return `its view stands on \`${strange}\`, which may answer to more`;
  const methods = functionsOf(lineage, project).flatMap(({ name }) =>
    METHODS.test(name) ? [name.toUpperCase()] : [],
  );
  return [...new Set(methods)];
}

/** All functions of a class, its own first. */
export function functionsOf({ classes }: Lineage, { modules }: PythonProject): FunctionFact[] {
  return classes.flatMap(({ path, fact }) => {
    const scope = insideOf(fact);
    return modules.get(path)?.facts.functions.filter((one) => one.scope === scope) ?? [];
  });
}

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
