// The statuses of a FastAPI handler, and what it answers with.

import type { ValueType } from "../../types/shape.ts";
import { anyType, named, unionOf } from "../../types/value-types.ts";
import type { DeclaredResponses } from "../route.ts";
import { argument, type Call, type Expression, isGivenMap, sourceOf } from "./expression.ts";
import { insideOf } from "./facts.ts";
import type { HandlerInput } from "./fastapi-surface.ts";
import { lastStep, typeOf } from "./models.ts";
import { bindingPlace, lookAt, type Place, type PythonProject, placeIn } from "./project.ts";
import { valueType } from "./value-type.ts";

/** Functions that call functions. */
const DEEPEST = 6;

/** Without a word it is 200, unless the handler has a way to say another one. */
export function readFastapiResponses(
  { call, handler, place, callPlace, project }: HandlerInput,
  takesResponse: boolean,
): DeclaredResponses | null {
  if (isGivenMap(call) || handler === null) return null;
  const given = argument(call, "status_code");
  const status = given === null ? 200 : statusOf(given);
  if (status === null) return null;
  const inside = { path: place.path, scope: insideOf(handler), line: Number.POSITIVE_INFINITY };
  const { returns } = handler;
  // Models are called so, too: only then it is looked up.
  const isNamed = returns !== null && /Response\b/.test(sourceOf(returns));
  const isResponse = isNamed && typeOf(returns, place, project).kind === "framework";
  const isWhole = !takesResponse && !isResponse && !mayRespond(handler.returned, inside, project);
  const model = argument(call, "response_model");
  const written = model ?? handler.returns;
  const isNone = status === 204 || written === null || argument(call, "response_class") !== null;
  const type = isNone ? null : valueType(written, model === null ? place : callPlace, project);
  const isPlain = model?.kind === "constant" || (type?.kind === "name" && type.name === "null");
  const more = statusesIn(argument(call, "responses"), callPlace, project);
  const body = type === null || isPlain ? null : withoutLeftOut(type, call);
  return {
    byStatus: new Map([...(more ?? []), [String(status), body] as const]),
    isWhole: isWhole && more !== null,
  };
}

/** `response_model_exclude={"secret"}`, of each item where the answer is a list. Null where it cannot be seen what is left. */
function withoutLeftOut(type: ValueType, call: Call): ValueType | null {
  const byAlias = argument(call, "response_model_by_alias");
  if (byAlias !== null && sourceOf(byAlias) !== "True") return null;
  const [left, kept] = ["response_model_exclude", "response_model_include"].map((name) =>
    argument(call, name),
  );
  const only = left ?? kept;
  if (only == null) return type;
  if (type.kind === "name" && type.name === "list") {
    const item = withoutLeftOut(type.args[0] ?? anyType, call);
    return item === null ? null : named("list", item);
  }
  const names = only.kind === "list" ? only.items : [];
  const isRead = names.length > 0 && names.every(({ kind }) => kind === "text") && !(left && kept);
  const keys = names.flatMap((one): ValueType[] =>
    one.kind === "text" ? [{ kind: "literal", value: JSON.stringify(one.value) }] : [],
  );
  return isRead ? named(left == null ? "Pick" : "Omit", type, unionOf(keys)) : null;
}

/** `responses={404: {"model": Problem}}`; null where they cannot be read. */
function statusesIn(
  responses: Expression | null,
  place: Place,
  project: PythonProject,
): (readonly [string, ValueType | null])[] | null {
  if (responses === null) return [];
  if (responses.kind !== "map") return null;
  const all = responses.entries.map(([key, value]): readonly [string, ValueType | null] | null => {
    const status = key.kind === "text" ? key.value : statusOf(key);
    const model =
      value.kind === "map"
        ? value.entries.find(([name]) => name.kind === "text" && name.value === "model")?.[1]
        : undefined;
    if (status === null) return null;
    return [String(status), model === undefined ? null : valueType(model, place, project)];
  });
  return all.every((one) => one !== null) ? all : null;
}

/** `201`, `status.HTTP_201_CREATED`, `HTTPStatus.CREATED`. */
function statusOf(expression: Expression): number | null {
  if (expression.kind === "constant")
    return /^\d{3}$/.test(expression.source) ? Number(expression.source) : null;
  const name = lastStep(expression);
  const [, code] = /^HTTP_(\d{3})_/.exec(name) ?? [];
  return code === undefined ? (NAMED[name] ?? null) : Number(code);
}

const NAMED: { readonly [name: string]: number } = {
  ...{ OK: 200, CREATED: 201, ACCEPTED: 202, NO_CONTENT: 204, RESET_CONTENT: 205 },
  ...{ BAD_REQUEST: 400, UNAUTHORIZED: 401, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 },
};

/** `return JSONResponse(…, status_code=201)`, also by a name or a function of the project. */
function mayRespond(values: readonly Expression[], place: Place, project: PythonProject, depth = 0): boolean {
  if (depth > DEEPEST || !project.spend()) return true;
  const go = (all: readonly Expression[], at = place) => mayRespond(all, at, project, depth + 1);
  return values.some((one): boolean => {
    if (one.kind === "either") return go(one.of);
    const name = one.kind === "call" ? one.callee : one;
    if (one.kind === "call" && /(?:Response|^)$/.test(lastStep(one.callee))) return true;
    const found = lookAt(name, place, project);
    if (found === null || found.rest.length > 0) return false;
    if (found.kind === "binding" && one.kind === "name") {
      const { value } = found.binding;
      return value.kind === "call" && go([value], bindingPlace(found));
    }
    return found.kind === "function" && go(found.fact.returned, placeIn(found.path, found.fact));
  });
}
