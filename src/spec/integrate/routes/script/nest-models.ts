import { reasons } from "../../reasons.ts";
import type { Field, ValueType } from "../../types/shape.ts";
import { anyType } from "../../types/value-types.ts";
import type { Models } from "../route.ts";
import {
  type ApiParameter,
  type DeclaredParameters,
  type ModelUse,
  type ParameterPlace,
  type RouteSurface,
  SCRIPT_SURFACE,
} from "../route.ts";
import type { Chain, Expr, FunctionFacts, Parameter } from "./facts.ts";
import { objectAt, single } from "./member.ts";
import { agreed, modelOf, NONE, UNDECLARED } from "./models.ts";
import { type Mark, marksOf } from "./nest-decorators.ts";
import { typeNamed } from "./types.ts";
import { valueType } from "./value-type.ts";
import type { Place, Value, World } from "./world.ts";

export type NestMethod = {
  readonly file: string;
  readonly fn: FunctionFacts | undefined;
  readonly marks: readonly Mark[];
  /** Something may make another answer of what it returns. */
  readonly isIntercepted: boolean;
};

/** What decorators and types of a method say about its bodies. */
export function nestModels(world: World, { file, fn, marks, isIntercepted }: NestMethod): Models {
  const parameters = (fn?.parameters ?? []).map(({ type, decorators }) => ({
    type,
    marks: marksOf(world, file, decorators),
  }));
  const bodies = parameters
    .filter((one) => one.marks.some(isWholeBody))
    .map(({ type }) => modelOf(world, file, type));
  const described = marks.filter(({ name }) => name === "ApiBody").map((mark) => typeIn(world, mark));
  const request = described.some(({ kind }) => kind === "declared") ? described : bodies;
  // Who takes the response into the own hands returns something else.
  const isManual = parameters.some((one) => one.marks.some((mark) => isTakenOver(world, mark)));
  const written = isManual ? UNDECLARED : modelOf(world, file, fn?.returnType);
  const isSure = written.kind !== "declared" || !isIntercepted;
  const returned = isSure ? written : { ...written, doubt: reasons.interceptor };
  return { request: agreed(request), response: responseIn(world, marks, returned) };
}

/** `@Body()`, with a pipe or without; `@Body("name")` is one field of it. */
function isWholeBody({ name, arguments: [first] }: Mark): boolean {
  return name === "Body" && first?.kind !== "text";
}

function isTakenOver(world: World, { name, arguments: [options], at }: Mark): boolean {
  return /^Res(?:ponse)?$/.test(name) && objectAt(world, options, at)?.fields.has("passthrough") !== true;
}

const GOOD = /^Api(?:Ok|Created|Accepted)Response$/;

function responseIn(world: World, marks: readonly Mark[], returned: ModelUse): ModelUse {
  const isEmpty = marks.some(
    ({ name, arguments: [code] }) =>
      name === "ApiNoContentResponse" ||
      (name === "HttpCode" && code?.kind === "number" && code.value === 204) ||
      (name === "HttpCode" && code?.kind === "chain" && nameAtEnd(code) === "NO_CONTENT"),
  );
  if (isEmpty) return NONE;
  const described = marks
    .filter((mark) => GOOD.test(mark.name) || (mark.name === "ApiResponse" && isGood(world, mark)))
    .map((mark) => typeIn(world, mark));
  const said = described.filter(({ kind }) => kind !== "undeclared");
  return said.length > 0 ? agreed(said) : returned;
}

function nameAtEnd({ steps }: Chain): string | null {
  const last = steps.at(-1);
  return last?.kind === "member" ? last.name : null;
}

function isGood(world: World, { arguments: [options], at }: Mark): boolean {
  const status = objectAt(world, options, at)?.fields.get("status");
  if (status?.kind === "chain") return /^(?:OK|CREATED|ACCEPTED)$/.test(nameAtEnd(status) ?? "");
  return status?.kind === "number" && status.value >= 200 && status.value < 300;
}

/** `{ type: X }`, `{ type: [X] }`, `{ type: X, isArray: true }`, `{ type: () => X }`. */
function typeIn(world: World, { arguments: [options], at }: Mark): ModelUse {
  const written = objectAt(world, options, at);
  const type = written?.fields.get("type");
  if (written === null || type === undefined) return UNDECLARED;
  const isListed = type.kind === "list";
  const [item] = isListed ? type.of : [type];
  const model = item === undefined ? null : nameOf(world, item, written.at);
  return model === null
    ? UNDECLARED
    : { kind: "declared", model, isList: isListed || written.fields.has("isArray") };
}

function nameOf(world: World, expr: Expr, at: Place): string | null {
  const value: Value = single(world.evaluate(expr, at));
  if (value.kind === "class") return world.modules.get(value.file)?.facts.classes.get(value.id)?.name ?? null;
  return expr.kind === "name" && value.kind === "foreign" && value.from !== ""
    ? typeNamed(world, at.file, expr.name).name
    : null;
}

export function nestSurface(world: World, method: NestMethod, verb: string): RouteSurface {
  const { file, fn } = method;
  const inputs = (fn?.parameters ?? []).map((one) => ({
    ...{ parameter: one, marks: marksOf(world, file, one.decorators) },
    type: valueType(world, file, one.type),
  }));
  return {
    ...SCRIPT_SURFACE,
    parameters: parametersIn(inputs),
    request: bodyIn(inputs),
    responses: responsesIn(world, method, verb, inputs),
  };
}

type Input = { readonly parameter: Parameter; readonly marks: readonly Mark[]; readonly type: ValueType };

const PLACES: { readonly [decorator: string]: ParameterPlace } = { Query: "query", Param: "path" };

/** Headers and cookies are read by guards and middleware as well, so they are not compared. */
function parametersIn(inputs: readonly Input[]): DeclaredParameters {
  const list: ApiParameter[] = [];
  const spread: NonNullable<DeclaredParameters["spread"]>[number][] = [];
  let more: string | null = null;
  for (const { marks, type, parameter } of inputs) {
    const [mark] = marks;
    const place = mark === undefined ? undefined : PLACES[mark.name];
    if (mark === undefined) more ??= parameter.decorators.length > 0 ? reasons.readByDecorator : null;
    else if (/^Req(?:uest)?$/.test(mark.name)) more ??= reasons.readByHandler;
    if (mark === undefined || place === undefined) continue;
    const [name] = mark.arguments;
    // Whether it must be given is for pipes to say.
    if (name?.kind === "text") list.push({ name: name.text, in: place, isRequired: null, type });
    else if (name === undefined || name.kind !== "name") spread.push({ in: place, type });
    else more ??= reasons.computedParameter;
  }
  return { list, spread, places: ["query", "path"], more };
}

/** `@Body() order: NewOrder`, or its fields one by one. */
function bodyIn(inputs: readonly Input[]): RouteSurface["request"] {
  const bodies = inputs.flatMap(({ marks, type }) =>
    marks.flatMap(({ name, arguments: [first] }) => (name === "Body" ? [{ first, type }] : [])),
  );
  const [only, ...others] = bodies;
  if (only === undefined) return null;
  if (others.length === 0 && only.first?.kind !== "text") return { type: only.type, isRequired: null };
  const fields = bodies.flatMap(({ first, type }): Field[] =>
    first?.kind === "text"
      ? [{ name: first.text, type, isOptional: false, leftOutUnclear: true, line: 0 }]
      : [],
  );
  return fields.length === bodies.length ? { type: { kind: "fields", fields }, isRequired: null } : null;
}

/** `POST` is answered with 201 and all else with 200, unless `@HttpCode` or the handler itself says otherwise. */
function responsesIn(
  world: World,
  { file, fn, marks, isIntercepted }: NestMethod,
  verb: string,
  inputs: readonly Input[],
): RouteSurface["responses"] {
  const isResponse = (mark: Mark) => /^(?:Res(?:ponse)?|Next)$/.test(mark.name);
  if (inputs.some((one) => one.marks.some((mark) => isTakenOver(world, mark)))) return null;
  if (marks.some(({ name }) => /^(?:Redirect|Sse|Render)$/.test(name)) || fn === undefined) return null;
  const given = marks.find(({ name }) => name === "HttpCode");
  const status = given === undefined ? (verb === "POST" ? 201 : 200) : statusOf(given);
  if (status === null) return null;
  const written = fn.returnType === null || isIntercepted ? null : valueType(world, file, fn.returnType);
  const isOpen = inputs.some((one) => one.marks.some(isResponse));
  return {
    byStatus: new Map([[String(status), written ?? anyType]]),
    isWhole: !isOpen && !isIntercepted && verb !== "*",
  };
}

/** `@HttpCode(202)`, `@HttpCode(HttpStatus.ACCEPTED)`. */
function statusOf({ arguments: [code] }: Mark): number | null {
  if (code?.kind === "number") return code.value;
  return code?.kind === "chain" ? (STATUSES[nameAtEnd(code) ?? ""] ?? null) : null;
}

const STATUSES: { readonly [name: string]: number } = {
  ...{ OK: 200, CREATED: 201, ACCEPTED: 202, NON_AUTHORITATIVE_INFORMATION: 203 },
  ...{ NO_CONTENT: 204, RESET_CONTENT: 205, PARTIAL_CONTENT: 206 },
};
