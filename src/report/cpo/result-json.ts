import { objectAt } from "../../util/json-in-text.ts";

/**
 * The result that an agent was asked to end with: an object with `task_completed`. It may stand in a fence, in prose or alone;
 * the last one counts. Null where there is none that is JSON: that an agent writes it wrong is no failure of its work.
 */
export function resultJson(said: string): Readonly<Record<string, unknown>> | null {
  const text = said.slice(-MOST_CHARS);
  let sign = text.lastIndexOf(SIGN);
  for (let tries = 0; sign !== -1 && tries < MOST_TRIES; tries += 1) {
    const found = objectAround(text, sign);
    if (found !== null) return found;
    sign = sign === 0 ? -1 : text.lastIndexOf(SIGN, sign - 1);
  }
  return null;
}

const SIGN = '"task_completed"';
const MOST_CHARS = 256 * 1024;
const MOST_TRIES = 20;

/** The nearest brace before the sign that opens an object with it; braces in texts may be nearer. */
function objectAround(text: string, sign: number): Readonly<Record<string, unknown>> | null {
  let at = text.lastIndexOf("{", sign);
  for (let tries = 0; at !== -1 && tries < MOST_TRIES; tries += 1) {
    const value = objectAt(text, at)?.value ?? null;
    if (value !== null && Object.hasOwn(value, "task_completed")) return value;
    at = at === 0 ? -1 : text.lastIndexOf("{", at - 1);
  }
  return null;
}
