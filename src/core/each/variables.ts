import type { Binding } from "../draft.ts";

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

/**
 * A value as a part of a task id: safe in refs, folders and command lines, readable, and the same for the same value
 * whatever other values there are, so that an edited plan still means the same tasks. "/" becomes "--", and where the
 * value cannot be read back from that, a hash of it makes up for what was lost.
 */
export function slug(value: string, room = Number.POSITIVE_INFINITY): string {
  const plain = value
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("/", "--")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[._-]+|[._-]+$/g, "")
    .replace(/\.lock$/i, "-lock"); // git reserves the ending
  if (plain.replaceAll("--", "/") === value && plain.length <= room) return plain;
  const hash = hashOf(value);
  // The end of a path says more than its beginning.
  const tail = plain.slice(-Math.max(1, room - hash.length - 1)).replace(/^[._-]+/, "");
  return tail === "" ? hash : `${tail}-${hash}`;
}

/** Seven letters and digits; FNV-1a, of 32 bits. Two equal ones in a plan would be told as a repeated id. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, "0");
}

/** Of a task id, see core/ids.ts. */
const LONGEST_ID = 64;
/** A slug of fewer characters would be hardly more than its hash. */
const SHORTEST_SLUG = 12;

/** The id with a place for every value: `port` of a task with the variable `file` is `port-{file}`. */
export function idTemplate(id: string, names: readonly string[]): string {
  if (usesIn(id, names).used.length > 0) return id;
  return [id, ...names.map((name) => `{${name}}`)].join("-");
}

/** What the template means with these values. A slug gets shorter where the id would be too long. */
export function idFrom(template: string, bindings: readonly Binding[]): string {
  const known = bindings.map((one) => ({ ...one, value: one.value ?? one.name }));
  const whole = fill(template, known, (value) => slug(value));
  if (whole.length <= LONGEST_ID) return whole;
  const { used } = usesIn(
    template,
    known.map(({ name }) => name),
  );
  const literal = fill(template, known, () => "").length;
  const room = Math.floor((LONGEST_ID - literal) / used.length);
  return room < SHORTEST_SLUG ? whole : fill(template, known, (value) => slug(value, room));
}

/** Where ids differ in case only, which folders of some systems do not tell apart, a hash of the whole does. */
export function distinctInCase(ids: readonly string[]): string[] {
  const spellings = new Map<string, Set<string>>();
  for (const id of ids) {
    const key = id.toLowerCase();
    spellings.set(key, (spellings.get(key) ?? new Set()).add(id));
  }
  return ids.map((id) => {
    if ((spellings.get(id.toLowerCase())?.size ?? 1) === 1) return id;
    const hash = hashOf(id);
    return `${id.slice(0, LONGEST_ID - hash.length - 1)}-${hash}`;
  });
}
