import type { Binding } from "../draft.ts";
import { slug } from "./slug.ts";

/**
 * `{file}` and its parts in texts of a task. Everything else in braces stays as it is, since prompts are full of code:
 * other names, `${file}`, `{{file}}`, and a variable whose value is not known.
 */

/** What may follow the dot, with what it means; the value is taken as a path. */
export const PARTS: { readonly [part: string]: (value: string) => string } = {
  name: nameOf,
  stem: (value) => nameOf(value).replace(/(?<=.)\.[^.]*$/, ""),
  dir: (value) => /^(.*)\/[^/]+\/*$/s.exec(value)?.[1] ?? ".",
  slug: (value) => slug(value),
};

function nameOf(value: string): string {
  return /[^/]+(?=\/*$)/.exec(value)?.[0] ?? value;
}

/** How a name of a variable is written. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

const IN_BRACES = /(?<![${])\{([A-Za-z][A-Za-z0-9_-]*)(?:\.([A-Za-z]+))?\}/g;

/** `write` turns the value into what is right at this place. */
export function fill(
  text: string,
  bindings: readonly Binding[],
  write: (value: string, binding: Binding) => string = (value) => value,
): string {
  if (!text.includes("{")) return text;
  return text.replace(IN_BRACES, (written: string, name: string, part: string | undefined) => {
    const binding = bindings.find((one) => one.name === name);
    if (!binding || !isPart(part)) return written;
    if (binding.value === null) return written;
    return write(part === undefined ? binding.value : partOf(binding.value, part), binding);
  });
}

/** The variables that a text uses, and what it writes like one with a part that nobody knows. */
export function usesIn(
  text: string,
  names: readonly string[],
): { readonly used: readonly string[]; readonly unknown: readonly string[] } {
  const found = [...text.matchAll(IN_BRACES)].filter(([, name = ""]) => names.includes(name));
  return {
    used: found.filter(([, , part]) => isPart(part)).map(([, name = ""]) => name),
    unknown: found.filter(([, , part]) => !isPart(part)).map(([written]) => written),
  };
}

function isPart(part: string | undefined): boolean {
  return part === undefined || Object.hasOwn(PARTS, part);
}

function partOf(value: string, part: string): string {
  return PARTS[part]?.(value) ?? value;
}
