import { reasons } from "../../reasons.ts";
import { argument, type Expression, isGivenMap, sourceOf } from "./expression.ts";
import { itemsOf, objectsOf } from "./made.ts";
import {
  bindingPlace,
  type Found,
  type FoundKind,
  lookAt,
  type Place,
  type PythonProject,
  placeIn,
} from "./project.ts";

/**
 * A part of a path, as far as the text says it: what it begins with, and behind something that is known only when the program
 * runs (`gap` says why, without a period) what it ends with.
 */
export type PathText = { readonly lead: string; readonly gap: string | null; readonly tail: string };

export type PathTexts = readonly PathText[];

export const known = (lead: string): PathText => ({ lead, gap: null, tail: "" });
export const gap = (why: string): PathText => ({ lead: "", gap: why, tail: "" });

export function joined(a: PathText, b: PathText): PathText {
  if (a.gap === null) return { ...b, lead: a.lead + b.lead };
  if (b.gap === null) return { ...a, tail: a.tail + b.lead };
  return { ...a, tail: b.tail };
}

/** More ways than this are not told apart. */
const MOST = 24;
const DEEPEST = 12;

/** Every way to go on from each. */
export function products(
  firsts: PathTexts,
  seconds: PathTexts,
  join: (a: PathText, b: PathText) => PathText = joined,
): PathText[] {
  return firsts.flatMap((a) => seconds.map((b) => join(a, b))).slice(0, MOST);
}

/** All that a text could be. What has a value that others may change is both: that value, and a gap. */
export function textsOf(expression: Expression, place: Place, project: PythonProject, depth = 0): PathTexts {
  const go = (one: Expression, at: Place) => textsOf(one, at, project, depth + 1);
  const unseen = [gap(reasons.computedAtRunTime(sourceOf(expression)))];
  if (depth > DEEPEST || !project.spend()) return unseen;
  if (expression.kind === "text") return [known(expression.value)];
  if (expression.kind === "constant") return expression.source === "None" ? [known("")] : unseen;
  if (expression.kind === "sum")
    return expression.of.reduce<PathTexts>((all, one) => products(all, go(one, place)), [known("")]);
  if (expression.kind === "either") return expression.of.flatMap((one) => go(one, place)).slice(0, MOST);
  if (expression.kind === "each") {
    const items = itemsOf(expression.of, place, project);
    return items === null ? unseen : items.flatMap(([item, at]) => go(item, at)).slice(0, MOST);
  }
  if (expression.kind === "call") {
    const found = lookAt(expression.callee, place, project);
    const isEnvironment = found?.kind === "outside" && /^os\.(?:getenv|environ\.get)$/.test(found.name);
    const initial = isEnvironment ? argument(expression, "default", 1) : null;
    return initial === null ? unseen : [...go(initial, place), ...unseen];
  }
  if (expression.kind !== "name") return unseen;
  return ofName(project.look(expression.name, place), { project, go, unseen });
}

/** What those who call a function give it; where nobody is seen to call it, what it is without. */
function ofParameter(
  { of, path, parameter }: FoundKind<"parameter">,
  { project, go, unseen }: Going,
): PathTexts {
  const { initial, name } = parameter;
  const without = initial === null ? unseen : go(initial, placeIn(path, of));
  const sites = project.callsOf(of);
  if (sites.length === 0) return initial === null ? unseen : [...without, ...unseen];
  const at = of.parameters.findIndex((one) => one.name === name);
  const given = sites.flatMap(({ call, place }) => {
    const value = argument(call, name, at);
    if (value !== null) return go(value, place);
    return isGivenMap(call) ? unseen : without;
  });
  return distinct(given).slice(0, MOST);
}

export function distinct(texts: PathTexts): PathText[] {
  return [...new Map(texts.map((one) => [JSON.stringify(one), one])).values()];
}

type Going = {
  readonly project: PythonProject;
  readonly go: (expression: Expression, place: Place) => PathTexts;
  readonly unseen: PathTexts;
};

function ofName(found: Found, { project, go, unseen }: Going): PathTexts {
  if (found.kind === "parameter" && found.rest.length === 0)
    return ofParameter(found, { project, go, unseen });
  if (found.kind !== "binding") return unseen;
  const at = bindingPlace(found);
  if (found.rest.length === 0) return found.all.flatMap(({ value }) => go(value, at)).slice(0, MOST);
  // An attribute of an object: what its class says is where it starts from.
  const [only, ...others] = objectsOf(found.binding.value, at, project).made;
  const [own] = others.length === 0 ? (only?.lineage?.classes ?? []) : [];
  const [name, ...rest] = found.rest;
  if (own === undefined || name === undefined || rest.length > 0) return unseen;
  const inside = placeIn(own.path, own.fact);
  const attribute = project.look(`${own.fact.name}.${name}`, { ...inside, scope: own.fact.scope });
  if (attribute.kind !== "binding" || attribute.rest.length > 0) return unseen;
  return [...attribute.all.flatMap(({ value }) => go(value, inside)), ...unseen];
}

/** `<int:pk>` is `{pk}`. */
export function withBraces(text: PathText): PathText {
  const plain = (part: string) => part.replaceAll(/<(?:[^<>]*:)?(\w+)>/g, "{$1}");
  return { ...text, lead: plain(text.lead), tail: plain(text.tail) };
}

const GROUP = /\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])*\)|\((?:[^()?[\]]|\[[^\]]*\])(?:[^()[\]]|\[[^\]]*\])*\)/g;

/** A regular expression that is words and groups only; of others, what it begins with. */
export function ofPattern(text: PathText): PathText {
  if (text.gap !== null) return text;
  const bare = text.lead
    .replace(/^\^/, "")
    .replace(/\/?\??\$$|\\Z$/, (end) => (end.startsWith("/") ? "/" : ""));
  // What takes everything, or everything else, is a parameter.
  const open = bare.replaceAll(/\(\?[!=][^()]*\)/g, "").replaceAll(/(?<![\])\w])\.[*+]/g, "{rest}");
  const named = open.replaceAll(GROUP, (_, name: string | undefined) => `{${name ?? "x"}}`);
  const plain = named.replaceAll(/\\([./_-])/g, "$1");
  const strange = plain.search(/[\\^$|?*+()[\]]/);
  if (strange === -1) return known(plain);
  return joined(known(plain.slice(0, strange)), gap(reasons.regularExpression));
}
