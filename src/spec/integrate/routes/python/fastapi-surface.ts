// Parameters, body and statuses of a FastAPI handler: its signature, that of its dependencies, and what the decorator says.

import { reasons } from "../../reasons.ts";
import type { Field, ValueType } from "../../types/shape.ts";
import { anyType } from "../../types/value-types.ts";
import type {
  ApiParameter,
  DeclaredBody,
  DeclaredParameters,
  ParameterPlace,
  RouteSurface,
} from "../route.ts";
import { argument, type Call, type Expression, isGivenMap } from "./expression.ts";
import { type ClassFact, type FunctionFact, insideOf, type Parameter } from "./facts.ts";
import { marksOf } from "./fastapi-models.ts";
import { readFastapiResponses } from "./fastapi-responses.ts";
import { lastStep, typeOf } from "./models.ts";
import { bindingPlace, lookAt, type Place, type PythonProject } from "./project.ts";
import { valueType } from "./value-type.ts";

export type HandlerInput = {
  readonly call: Call;
  readonly handler: FunctionFact | null;
  /** All paths that lead to it, with those of the routers above. */
  readonly path: string;
  /** Where the handler stands. */
  readonly place: Place;
  readonly callPlace: Place;
  readonly project: PythonProject;
  /** What the application, or a router, has done before each handler. */
  readonly around: AroundHandlers;
};

/** Null: nothing of the kind is there. */
export type AroundHandlers = { readonly dependencies: string | null; readonly middleware: string | null };

export function fastapiSurface(input: HandlerInput): RouteSurface | undefined {
  const { handler, around } = input;
  if (handler === null) return undefined;
  const inputs = together([readInputs(handler, input, 0), listedDependencies(input)]);
  return {
    language: "python",
    parameters: {
      ...{ list: inputs.parameters, spread: inputs.spread, more: inputs.hidden ?? around.dependencies },
      ...(around.middleware === null ? {} : { moreHeaders: around.middleware }),
    },
    request: toBody(inputs),
    responses: readFastapiResponses(input, inputs.takesResponse),
  };
}

/** What a function takes from a request. */
type Inputs = {
  readonly parameters: readonly ApiParameter[];
  readonly spread: NonNullable<DeclaredParameters["spread"]>;
  /** Parts of the body, by the name of the parameter. */
  readonly bodies: readonly (Field & { readonly isEmbedded: boolean })[];
  /** Why something may be read that is not declared. */
  readonly hidden: string | null;
  readonly hasForm: boolean;
  /** It may set the status of the answer itself. */
  readonly takesResponse: boolean;
};

const NOTHING: Inputs = {
  ...{ parameters: [], spread: [], bodies: [] },
  ...{ hidden: null, hasForm: false, takesResponse: false },
};

function together(all: readonly Inputs[]): Inputs {
  return {
    parameters: all.flatMap(({ parameters }) => parameters),
    spread: all.flatMap(({ spread }) => spread),
    bodies: all.flatMap(({ bodies }) => bodies),
    hidden: all.find(({ hidden }) => hidden !== null)?.hidden ?? null,
    hasForm: all.some(({ hasForm }) => hasForm),
    takesResponse: all.some(({ takesResponse }) => takesResponse),
  };
}

/** Dependencies of dependencies. */
const DEEPEST = 6;

function readInputs(fn: FunctionFact, input: HandlerInput, depth: number): Inputs {
  return together(
    fn.parameters
      .filter(({ name, isRest }) => !isRest && name !== "self" && name !== "cls")
      .map((parameter) => readInput(parameter, input, depth)),
  );
}

const MARKS: { readonly [name: string]: ParameterPlace } = {
  ...{ Query: "query", Path: "path", Header: "header", Cookie: "cookie" },
};

function readInput(parameter: Parameter, input: HandlerInput, depth: number): Inputs {
  const { annotation, initial, name } = parameter;
  const { place, project, path } = input;
  const marks = [...(initial?.kind === "call" ? [initial] : []), ...marksOf(annotation, place, project)];
  const mark = marks.find(({ callee }) => MARK_NAMES.test(lastStep(callee)));
  const kind = mark === undefined ? "" : lastStep(mark.callee);
  if (/^(?:Depends|Security)$/.test(kind)) return readDependency(mark as Call, annotation, { input, depth });
  if (/^(?:Form|File)$/.test(kind)) return { ...NOTHING, hasForm: true };
  const isRequired = isNeeded(initial, mark);
  const type = annotation === null ? anyType : valueType(annotation, place, project);
  const isEmbedded = mark !== undefined && argument(mark, "embed") !== null;
  const body = () => ({ ...NOTHING, bodies: [{ name, type, isOptional: !isRequired, line: 0, isEmbedded }] });
  if (kind === "Body") return body();
  const isInPath = new RegExp(`\\{${name}(?::\\w+)?\\}`).test(path);
  if (isInPath || Object.hasOwn(MARKS, kind)) {
    const where = isInPath ? "path" : (MARKS[kind] as ParameterPlace);
    const use = annotation === null ? null : typeOf(annotation, place, project);
    // `Annotated[Filters, Query()]`: the fields of a model are parameters.
    if (use?.kind === "model" && !isInPath && !use.isList)
      return { ...NOTHING, spread: [{ in: where, type }] };
    return { ...NOTHING, parameters: [toParameter(parameter, { where, mark, isRequired, type })] };
  }
  if (annotation === null)
    return { ...NOTHING, parameters: [toParameter(parameter, { where: "query", isRequired, type })] };
  const use = typeOf(annotation, place, project);
  if (use.kind === "model") return use.isOwn ? body() : { ...NOTHING, hidden: reasons.hiddenType(use.model) };
  if (use.kind === "framework") return ofFramework(use.name);
  if (use.kind === "simple")
    return { ...NOTHING, parameters: [toParameter(parameter, { where: "query", isRequired, type })] };
  // A map or a list without a mark is a body; what cannot be seen may be either.
  return use.kind === "loose" ? body() : { ...NOTHING, hidden: reasons.hiddenType(name) };
}

const MARK_NAMES = /^(?:Query|Path|Header|Cookie|Body|Form|File|Depends|Security)$/;

function ofFramework(name: string): Inputs {
  if (name === "UploadFile") return { ...NOTHING, hasForm: true };
  if (name === "Response") return { ...NOTHING, takesResponse: true };
  return /^(?:Request|HTTPConnection|WebSocket)$/.test(name)
    ? { ...NOTHING, hidden: reasons.readByHandler }
    : NOTHING;
}

type ParameterSaid = {
  readonly where: ParameterPlace;
  readonly mark?: Call | undefined;
  readonly isRequired: boolean;
  readonly type: ValueType;
};

/** Headers are written with hyphens, unless an alias says otherwise. */
function toParameter({ name }: Parameter, { where, mark, isRequired, type }: ParameterSaid): ApiParameter {
  const alias = mark === undefined ? null : argument(mark, "alias");
  const usual = where === "header" ? name.replaceAll("_", "-") : name;
  const isPlain = alias === null || alias.kind === "text";
  return {
    name: alias?.kind === "text" ? alias.value : usual,
    in: where,
    isRequired: where === "path" ? true : isPlain ? isRequired : null,
    type,
  };
}

/** `q: str`, `q: str = Query(...)`, `q: Annotated[str, Query()]` must be given. */
function isNeeded(initial: Expression | null, mark: Call | undefined): boolean {
  const isMark = initial !== null && initial === mark;
  if (initial !== null && !isMark) return initial.kind === "constant" && initial.source === "...";
  if (mark === undefined) return true;
  if (argument(mark, "default_factory") !== null || isGivenMap(mark)) return false;
  const value = argument(mark, "default", isMark ? 0 : undefined);
  return value === null || (value.kind === "constant" && value.source === "...");
}

type Within = { readonly input: HandlerInput; readonly depth: number };

/** A function, a class by its constructor, a security scheme of FastAPI; of all else nothing is known. */
function readDependency(mark: Call, annotation: Expression | null, { input, depth }: Within): Inputs {
  const unseen = { ...NOTHING, hidden: reasons.readByDependency };
  const given = argument(mark, "dependency", 0) ?? annotation;
  const of = given?.kind === "generic" ? (given.args[0] ?? null) : given;
  if (of === null || depth > DEEPEST || !input.project.spend()) return unseen;
  const found = lookAt(of, input.place, input.project);
  if (found === null || found.rest.length > 0) return unseen;
  if (found.kind === "binding")
    return isScheme(found.binding.value, bindingPlace(found), input.project) ? NOTHING : unseen;
  const fn = found.kind === "class" ? constructorOf(found.path, found.fact, input.project) : found;
  if (fn === null || !("fact" in fn) || fn.kind !== "function") return unseen;
  const place = { path: fn.path, scope: fn.fact.scope, line: Number.POSITIVE_INFINITY };
  return readInputs(fn.fact, { ...input, place }, depth + 1);
}

/** `OAuth2PasswordBearer(…)` reads the header that no document lists. */
function isScheme(value: Expression, place: Place, project: PythonProject): boolean {
  if (value.kind !== "call" || /^APIKey/.test(lastStep(value.callee))) return false;
  const found = lookAt(value.callee, place, project);
  return found?.kind === "outside" && found.name.startsWith("fastapi.security.");
}

function constructorOf(path: string, of: ClassFact, { modules }: PythonProject) {
  const fact = modules
    .get(path)
    ?.facts.functions.find(({ name, scope }) => name === "__init__" && scope === insideOf(of));
  return fact === undefined ? null : ({ kind: "function", path, fact } as const);
}

/** `dependencies=[Depends(check)]` of the decorator. */
function listedDependencies(input: HandlerInput): Inputs {
  const { call, callPlace: place } = input;
  const list = argument(call, "dependencies");
  if (list === null) return NOTHING;
  if (list.kind !== "list") return { ...NOTHING, hidden: reasons.readByDependency };
  const marks = list.items.flatMap((one) => (one.kind === "call" ? [one] : []));
  return together(marks.map((mark) => readDependency(mark, null, { input: { ...input, place }, depth: 0 })));
}

/** One model is the body; several are its fields, and so is one that says so. */
function toBody({ bodies, hasForm }: Inputs): DeclaredBody | null {
  const [first, ...others] = bodies;
  if (first === undefined || hasForm) return null;
  return others.length === 0 && !first.isEmbedded
    ? { type: first.type, isRequired: !first.isOptional }
    : { type: { kind: "fields", fields: bodies }, isRequired: null };
}
