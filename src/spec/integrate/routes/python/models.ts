import { reasons } from "../../reasons.ts";
import { type ModelUse, NONE, UNDECLARED } from "../route.ts";
import { type Expression, sourceOf } from "./expression.ts";
import { bindingPlace, type Found, lineageOf, type Place, type PythonProject } from "./project.ts";

/** What an annotation stands for, as far as requests and responses go. */
export type TypeUse =
  /** `isOwn`: a class of the project that holds data. */
  | { readonly kind: "model"; readonly model: string; readonly isList: boolean; readonly isOwn: boolean }
  /** `None`. */
  | { readonly kind: "nothing" }
  /** A text, a number, a date, an enum. */
  | { readonly kind: "simple" }
  /** A map or a list of such, or anything at all: a body without a name. */
  | { readonly kind: "loose" }
  /** Of the framework itself: `Request`, `JSONResponse`. */
  | { readonly kind: "framework"; readonly name: string }
  | { readonly kind: "unclear"; readonly text: string };

const SIMPLE = /^(?:str|int|float|bool|bytes|complex|Literal|NewType|type|Type|Enum)$/;
const LOOSE =
  /^(?:dict|Dict|Mapping|MutableMapping|OrderedDict|defaultdict|object|Any|list|List|tuple|Tuple|set|Set|frozenset)$/;
const LISTS =
  /^(?:list|List|Sequence|MutableSequence|Iterable|Collection|set|Set|frozenset|FrozenSet|tuple|Tuple)$/;
const STREAMS = /^(?:Async)?(?:Iterator|Generator)$/;
const FRAMEWORK = /^(?:fastapi|starlette|flask|werkzeug|sse_starlette)\b/;
const PLAIN_PACKAGES =
  /^(?:datetime|uuid|decimal|pathlib|enum|ipaddress|re|pydantic|typing|typing_extensions)\./;
const DEEPEST = 12;

export function typeOf(expression: Expression, place: Place, project: PythonProject, depth = 0): TypeUse {
  const go = (one: Expression, at = place) => typeOf(one, at, project, depth + 1);
  const unclear: TypeUse = { kind: "unclear", text: sourceOf(expression) };
  if (depth > DEEPEST || !project.spend()) return unclear;
  if (expression.kind === "text") return go(quotedType(expression.value));
  if (expression.kind === "constant") return expression.source === "None" ? { kind: "nothing" } : unclear;
  const union = (parts: readonly Expression[]) => {
    const uses = parts.map((one) => go(one));
    return ofUnion(uses, unclear);
  };
  if (expression.kind === "union") return union(expression.of);
  if (expression.kind === "generic") {
    const name = lastStep(expression.of);
    const [first] = expression.args;
    if (name === "Annotated" || name === "Optional") return first === undefined ? unclear : go(first);
    if (name === "Union") return union(expression.args);
    if (LISTS.test(name)) return ofList(expression.args, go, unclear);
    if (STREAMS.test(name)) return { kind: "framework", name };
    if (SIMPLE.test(name)) return { kind: "simple" };
    return LOOSE.test(name) ? { kind: "loose" } : unclear;
  }
  if (expression.kind !== "name") return unclear;
  return ofName(project.look(expression.name, place), lastStep(expression), { project, go, unclear });
}

type Going = {
  readonly project: PythonProject;
  readonly go: (expression: Expression, place?: Place) => TypeUse;
  readonly unclear: TypeUse;
};

function ofName(found: Found, written: string, { project, go, unclear }: Going): TypeUse {
  if (found.kind === "class" && found.rest.length === 0) {
    const outside = lineageOf(found, project)?.outside ?? [];
    if (outside.some((name) => /^enum\./.test(name) || SIMPLE.test(name))) return { kind: "simple" };
    if (outside.some((name) => FRAMEWORK.test(name))) return { kind: "framework", name: found.fact.name };
    return { kind: "model", model: found.fact.name, isList: false, isOwn: true };
  }
  if (found.kind === "binding" && found.rest.length === 0) {
    const { value, name } = found.binding;
    if (value.kind === "call" && lastStep(value.callee) === "NewType") return { kind: "simple" };
    const use = go(value, bindingPlace(found));
    // One more name for a type: which of both others mean by it cannot be told.
    if (value.kind === "name" && use.kind === "model" && use.model !== name) return unclear;
    return use.kind === "unclear" ? unclear : use;
  }
  if (found.kind === "outside") return ofPackage(found.name, written);
  if (found.kind !== "unknown") return unclear;
  if (SIMPLE.test(written)) return { kind: "simple" };
  if (LOOSE.test(written)) return { kind: "loose" };
  return STREAMS.test(written) ? { kind: "framework", name: written } : unclear;
}

function ofPackage(name: string, written: string): TypeUse {
  const last = name.split(".").at(-1) ?? name;
  if (FRAMEWORK.test(name)) return { kind: "framework", name: last };
  if (/^(?:typing|typing_extensions|collections)\b/.test(name)) {
    if (STREAMS.test(last)) return { kind: "framework", name: last };
    return LOOSE.test(last) || LISTS.test(last) ? { kind: "loose" } : { kind: "simple" };
  }
  if (PLAIN_PACKAGES.test(name)) return { kind: "simple" };
  return { kind: "model", model: last === "*" ? written : last, isList: false, isOwn: false };
}

function ofUnion(parts: readonly TypeUse[], unclear: TypeUse): TypeUse {
  const [first, ...others] = parts.filter(({ kind }) => kind !== "nothing");
  if (first === undefined) return { kind: "nothing" };
  if (others.length === 0) return first;
  const isOne = (kind: TypeUse["kind"]) => [first, ...others].every((one) => one.kind === kind);
  if (isOne("simple")) return first;
  return isOne("framework") ? first : unclear;
}

function ofList(args: readonly Expression[], go: Going["go"], unclear: TypeUse): TypeUse {
  const kept = args.filter((one) => !(one.kind === "constant" && one.source === "..."));
  const [item, ...others] = kept;
  if (item === undefined || others.length > 0) return others.length > 0 ? unclear : { kind: "loose" };
  const use = go(item);
  if (use.kind === "model") return use.isList ? unclear : { ...use, isList: true };
  return use.kind === "unclear" || use.kind === "nothing" ? unclear : { kind: "loose" };
}

/** `"Order"`, `"list[Order]"`, `"Order | None"`: types that are declared further down are written as texts. */
export function quotedType(text: string): Expression {
  const name = (word: string): Expression =>
    word === "None" ? { kind: "constant", source: "None" } : { kind: "name", name: word };
  const bare = text.trim();
  if (/^[\w.]+$/.test(bare)) return name(bare);
  const [, of = "", inner = ""] = /^([\w.]+)\[\s*([\w.]+)\s*\]$/.exec(bare) ?? [];
  if (of !== "") return { kind: "generic", of: name(of), args: [name(inner)] };
  const parts = bare.split("|").map((part) => part.trim());
  const isUnion = parts.every((part) => /^[\w.]+$/.test(part));
  return isUnion ? { kind: "union", of: parts.map(name) } : { kind: "other", source: bare };
}

/** `Depends` of `fastapi.Depends`. */
export function lastStep(expression: Expression): string {
  if (expression.kind === "attribute") return expression.name;
  return expression.kind === "name" ? (expression.name.split(".").at(-1) ?? "") : "";
}

/** A response that is declared by its type. */
export function asResponse(use: TypeUse): ModelUse {
  if (use.kind === "model") {
    const declared = { kind: "declared", model: use.model, isList: use.isList } as const;
    return use.isOwn ? declared : { ...declared, doubt: reasons.typeFromPackage };
  }
  if (use.kind === "nothing") return NONE;
  return use.kind === "unclear" ? use : UNDECLARED;
}
