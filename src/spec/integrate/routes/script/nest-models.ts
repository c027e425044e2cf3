import { reasons } from "../../reasons.ts";
import type { ModelUse } from "../route.ts";
import type { Expr, FunctionFacts } from "./facts.ts";
import { objectIn, single } from "./member.ts";
import { agreed, modelOf, NONE, UNDECLARED } from "./models.ts";
import { type Mark, marksOf } from "./nest-decorators.ts";
import { typeNamed } from "./types.ts";
import type { Place, Value } from "./values.ts";
import type { World } from "./world.ts";

export type NestMethod = {
  readonly file: string;
  readonly fn: FunctionFacts | undefined;
  readonly marks: readonly Mark[];
  /** Something may make another answer of what it returns. */
  readonly isIntercepted: boolean;
};

/** What decorators and types of a method say about its bodies. */
export function nestModels(
  world: World,
  { file, fn, marks, isIntercepted }: NestMethod,
): { readonly request: ModelUse; readonly response: ModelUse } {
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

export function isTakenOver(world: World, { name, arguments: [options], at }: Mark): boolean {
  if (!/^Res(?:ponse)?$/.test(name)) return false;
  return options === undefined || objectIn(world.evaluate(options, at))?.fields.has("passthrough") !== true;
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

export function nameAtEnd({ steps }: Extract<Expr, { kind: "chain" }>): string | null {
  const last = steps.at(-1);
  return last?.kind === "member" ? last.name : null;
}

function isGood(world: World, { arguments: [options], at }: Mark): boolean {
  const written = options === undefined ? null : objectIn(world.evaluate(options, at));
  const status = written?.fields.get("status");
  if (written === null || status === undefined) return false;
  if (status.kind === "chain") return /^(?:OK|CREATED|ACCEPTED)$/.test(nameAtEnd(status) ?? "");
  return status.kind === "number" && status.value >= 200 && status.value < 300;
}

/** `{ type: X }`, `{ type: [X] }`, `{ type: X, isArray: true }`, `{ type: () => X }`. */
function typeIn(world: World, { arguments: [options], at }: Mark): ModelUse {
  const written = options === undefined ? null : objectIn(world.evaluate(options, at));
  const type = written?.fields.get("type");
  if (written === null || type === undefined) return UNDECLARED;
  const items = type.kind === "list" ? type.of : null;
  const isList = items !== null || written.fields.has("isArray");
  const model =
    items === null ? nameOf(world, type, written.at) : items[0] && nameOf(world, items[0], written.at);
  return model == null ? UNDECLARED : { kind: "declared", model, isList };
}

function nameOf(world: World, expr: Expr, at: Place): string | null {
  const value: Value = single(world.evaluate(expr, at));
  if (value.kind === "class") return world.modules.get(value.file)?.facts.classes.get(value.id)?.name ?? null;
  return expr.kind === "name" && value.kind === "foreign" && value.from !== ""
    ? typeNamed(world, at.file, expr.name).name
    : null;
}
