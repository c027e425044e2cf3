import { reasons } from "../../reasons.ts";
import type { Template } from "./world.ts";

/**
 * `/orders/:id` as `/orders/{id}`. What stands behind a parameter, such as `(\\d+)`, says what it may be, not where it is. All else
 * that is no plain text may match several paths, and is not taken for one.
 */
export function colonPath(path: string, what: "path" | "prefix" = "path"): Template {
  const plain = path.replace(
    /:([A-Za-z_]\w*)((?:\((?:[^()\\]|\\.|\([^()]*\))*\)|\{(?:[^{}\\]|\\.|\{[^{}]*\})*\})?)(\?)?/g,
    named,
  );
  if (plain.includes(OPTIONAL)) return { why: reasons.optionalPart(what, path) };
  const rest = plain.replace(/\{\w+\}/g, "");
  if (/[*]/.test(rest)) return { why: reasons.wildcard(what, path) };
  if (/[?+()[\]{}|]/.test(rest)) return { why: reasons.pattern(what, path) };
  return { path: plain };
}

/** A sign that stands in no path. */
const OPTIONAL = "\u0000";

function named(_: string, name: string, _pattern: string, optional: string | undefined): string {
  return optional === undefined ? `{${name}}` : OPTIONAL;
}

/** One slash between the parts, none at the end. */
export function joinPaths(...parts: readonly string[]): string {
  const joined = parts
    .join("/")
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "");
  return joined.startsWith("/") ? joined : `/${joined}`;
}

/** Everything that no other route answers: a handler for what is not found, a page for all; nobody's endpoint. */
export function isCatchAll(path: string): boolean {
  return /^\/?(?:\*\w*|\{\*\w+\}|\(\.\*\)|\/?:\w+\(\.\*\))$/.test(path);
}

/** How a pattern begins for sure, in whole steps: `/files` of `/files/img*`. */
export function headOf(path: string): string {
  return path.replace(/[:*?+()[\]{}|].*$/s, "").replace(/[^/]*$/, "");
}
