import { type ModelUse, NONE, UNDECLARED } from "../route.ts";
import { argument, type Call, type Expression, isGivenMap } from "./expression.ts";
import type { FunctionFact, Parameter } from "./facts.ts";
import { asResponse, lastStep, type TypeUse, typeOf } from "./models.ts";
import { bindingPlace, type Place, type PythonProject } from "./project.ts";

/** By `response_model`, or else by what the function is annotated to return. Without content there is no model. */
export function fastapiResponse(
  call: Call,
  handler: FunctionFact | null,
  { place, callPlace, project }: { place: Place; callPlace: Place; project: PythonProject },
): ModelUse {
  if (isGivenMap(call)) return UNDECLARED;
  const status = argument(call, "status_code");
  if (status !== null && isWithoutContent(status)) return NONE;
  const model = argument(call, "response_model");
  if (model?.kind === "constant") return UNDECLARED;
  if (model !== null) return asResponse(typeOf(model, callPlace, project));
  const response = argument(call, "response_class");
  if (response !== null && !/JSON/i.test(lastStep(response))) return UNDECLARED;
  return handler?.returns == null ? UNDECLARED : asResponse(typeOf(handler.returns, place, project));
}

function isWithoutContent(status: Expression): boolean {
  if (status.kind === "constant") return /^20[45]$/.test(status.source);
  return /^(?:HTTP_204_NO_CONTENT|HTTP_205_RESET_CONTENT|NO_CONTENT|RESET_CONTENT)$/.test(lastStep(status));
}

/** What a parameter takes its value from. */
type Source =
  | { readonly kind: "body"; readonly model: string; readonly isList: boolean }
  /** A part of a body, or a form, of which the text has no name. */
  | { readonly kind: "nameless" }
  /** What may read a body itself. */
  | { readonly kind: "hidden" }
  | { readonly kind: "elsewhere" };

/**
 * The one parameter that is of a type of the project and comes from nowhere else. Several are parts of one body that has no name.
 * What a dependency reads, and what a function reads from the request itself, cannot be seen.
 */
export function fastapiRequest(
  handler: FunctionFact | null,
  path: string,
  { place, project }: { place: Place; project: PythonProject },
): ModelUse {
  if (handler === null) return UNDECLARED;
  const inPath = new Set([...path.matchAll(/\{(\w+)/g)].map(([, name]) => name));
  const sources = handler.parameters
    .filter(({ name, isRest }) => !isRest && !inPath.has(name) && name !== "self" && name !== "cls")
    .map((parameter) => sourceOf(parameter, place, project));
  const [body, ...others] = sources.filter((one) => one.kind === "body");
  const has = (kind: Source["kind"]) => sources.some((one) => one.kind === kind);
  if (has("nameless") || others.length > 0) return UNDECLARED;
  if (body !== undefined) return { kind: "declared", model: body.model, isList: body.isList };
  return has("hidden") ? UNDECLARED : NONE;
}

function sourceOf({ annotation, initial }: Parameter, place: Place, project: PythonProject): Source {
  const marks = [...(initial?.kind === "call" ? [initial] : []), ...marksOf(annotation, place, project)];
  const has = (names: RegExp) => marks.some(({ callee }) => names.test(lastStep(callee)));
  if (has(/^(?:Depends|Security)$/)) return { kind: "hidden" };
  if (has(/^(?:Query|Path|Header|Cookie)$/)) return { kind: "elsewhere" };
  if (has(/^(?:Form|File)$/)) return { kind: "nameless" };
  const use: TypeUse = annotation === null ? { kind: "simple" } : typeOf(annotation, place, project);
  const body = marks.find(({ callee }) => lastStep(callee) === "Body");
  if (use.kind === "model") {
    // With `embed`, the body is a map that holds it.
    const isBody = body === undefined ? use.isOwn : argument(body, "embed") === null;
    return isBody ? { kind: "body", model: use.model, isList: use.isList } : { kind: "nameless" };
  }
  if (body !== undefined) return { kind: "nameless" };
  if (use.kind === "framework") return { kind: use.name === "UploadFile" ? "nameless" : "hidden" };
  return { kind: use.kind === "simple" || use.kind === "nothing" ? "elsewhere" : "nameless" };
}

const DEEPEST = 6;

/** What `Annotated[…]` says beside the type, also where that has a name of its own. */
export function marksOf(type: Expression | null, place: Place, project: PythonProject, depth = 0): Call[] {
  if (type === null || depth > DEEPEST || !project.spend()) return [];
  const go = (one: Expression | undefined, at = place) => marksOf(one ?? null, at, project, depth + 1);
  if (type.kind === "union") return type.of.flatMap((one) => go(one));
  if (type.kind === "generic") {
    const name = lastStep(type.of);
    const inner = /^(?:Optional|Annotated)$/.test(name) ? go(type.args[0]) : [];
    const calls = type.args.flatMap((one) => (one.kind === "call" ? [one] : []));
    return name === "Annotated" ? [...calls, ...inner] : inner;
  }
  const found = type.kind === "name" ? project.look(type.name, place) : null;
  if (found?.kind !== "binding" || found.rest.length > 0) return [];
  return go(found.binding.value, bindingPlace(found));
}
