import type { Binding } from "../draft.ts";
import { hashOf, slug } from "./slug.ts";
import { fill, usesIn } from "./variables.ts";

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
