import { formOf } from "./routes/paths.ts";

/**
 * The only task whose text names a type or an endpoint (`GET /products/{sku}`), by the most exact words that any of them uses; null
 * where several do, or none.
 */
export function taskNaming(about: string, texts: ReadonlyMap<string, string>): string | null {
  for (const word of wordsFor(about)) {
    const naming = [...texts].filter(([, text]) => word.test(plainPaths(text)));
    if (naming.length > 0) return naming.length === 1 ? (naming[0]?.[0] ?? null) : null;
  }
  return null;
}

/** The most exact first. */
function wordsFor(about: string): RegExp[] {
  const [, method, path] = /^([A-Z]+) (\/.*)$/s.exec(about) ?? [];
  if (path === undefined)
    return NAME.test(about) ? [new RegExp(`(?<![\\w.$])${literal(about)}(?![\\w$])`, "u")] : [];
  const form = formOf(path);
  const parts = form.split("/").slice(1);
  const beginnings = parts
    .map((_, i) => parts.slice(0, parts.length - i))
    .filter((some, i) => i > 0 && some.some(saysSomething) && some.at(-1) !== "{}");
  if (!parts.some(saysSomething)) return [];
  return [
    new RegExp(`\\b${method}[\`"' ]+[\\w/.:-]*${literal(form)}${END}`, "u"),
    new RegExp(`${literal(form)}${END}`, "u"),
    ...beginnings.map((some) => new RegExp(`${literal(`/${some.join("/")}`)}(?![\\w-])`, "u")),
  ];
}

const END = "/?(?![\\w/{-])";
const NAME = /^[\p{L}_$][\w$]*$/u;

/** Half of all paths begin with `/api/v1`. */
const saysSomething = (part: string): boolean => !/^(?:\{.*\}|api|v\d+|rest)?$/.test(part);

/** `reservations` of `GET /api/v1/reservations/{id}`; undefined where the path has no such word. */
export function findResource(about: string): string | undefined {
  return about.replace(/^\S+ /, "").split("/").find(saysSomething);
}

/** Parameters have other names, and are written otherwise: `:id`, `<int:id>`. */
function plainPaths(text: string): string {
  return text.replaceAll(/(?<=\/)(?:\{[^{}\s]*\}|:\w+|<[\w:]+>)/g, "{}");
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
