// What decorators and types of a method of a controller declare.

import { reasons } from "../../reasons.ts";
import type { Field, ValueType } from "../../types/shape.ts";
import { anyType } from "../../types/value-types.ts";
import type { ApiParameter, DeclaredParameters, ParameterPlace, RouteSurface } from "../surface.ts";
import type { Parameter } from "./facts.ts";
import { type Mark, marksOf } from "./nest-decorators.ts";
import { isTakenOver, type NestMethod, nameAtEnd } from "./nest-models.ts";
import { valueType } from "./value-type.ts";
import type { World } from "./world.ts";

export function nestSurface(world: World, method: NestMethod, verb: string): RouteSurface {
  const { file, fn } = method;
  const inputs = (fn?.parameters ?? []).map((one) => ({
    ...{ parameter: one, marks: marksOf(world, file, one.decorators) },
    type: valueType(world, file, one.type),
  }));
  return {
    language: "script",
    areParametersText: true,
    parameters: parametersIn(inputs),
    request: bodyIn(inputs),
    responses: responsesIn(world, method, { verb, inputs }),
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

type AroundAnswer = { readonly verb: string; readonly inputs: readonly Input[] };

/** `POST` is answered with 201 and all else with 200, unless `@HttpCode` or the handler itself says otherwise. */
function responsesIn(
  world: World,
  { file, fn, marks, isIntercepted }: NestMethod,
  { verb, inputs }: AroundAnswer,
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
