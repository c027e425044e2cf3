import { objectAt } from "../util/json-in-text.ts";

/**
 * The text of the object that was asked for in what an agent said last: alone, in a fence, or among other words. The last one that is
 * whole and has the key is meant. Where there is none, the best of what there is, so that reading it tells what is wrong: an
 * object that is no JSON or was cut off, else all that was said.
 */
export function saidObject(message: string, key: string): string {
  const sign = new RegExp(`"${key}"\\s*:`);
  let meant: string | null = null;
  let attempt: string | null = null;
  let work = MOST_READINGS * message.length;
  for (let at = message.indexOf("{"); at !== -1 && work >= 0; ) {
    const found = objectAt(message, at);
    const said = message.slice(at, found?.end ?? message.length);
    work -= said.length;
    const [value, end] = [found?.value ?? null, at + said.length];
    const isMeant = value !== null && Object.hasOwn(value, key);
    const mayHoldOne = sign.test(said);
    if (isMeant) meant = said;
    else if (value !== null) meant = quotedObject(value, key) ?? meant;
    else if (mayHoldOne) attempt = said;
    // What is whole is done with, unless what is meant is wrapped in it.
    at = message.indexOf("{", isMeant || (value !== null && !mayHoldOne) ? end : at + 1);
  }
  return (meant ?? (attempt === null ? message : withoutFence(attempt))).trim();
}

/** Programs that answer in JSON may have put the words of their model into it as a text: `{"response": "…"}`. */
function quotedObject(value: object, key: string): string | null {
  for (const text of Object.values(value)) {
    const said = typeof text === "string" && text.includes(`"${key}"`) ? saidObject(text, key) : "";
    if (said.startsWith("{")) return said;
  }
  return null;
}

/** Whether there is an object in it at all, and not only words with a brace among them. */
export function hasObject(text: string): boolean {
  return /\{\s*["}]/.test(text);
}

/** Whether the object that it begins with goes on at its end. */
export function isCutOff(text: string): boolean {
  return text.startsWith("{") && objectAt(text, 0) === null;
}

/** A text of nothing but opening braces would be gone through once for each. */
const MOST_READINGS = 64;

/** What was cut off goes up to the end of the message, and so beyond its fence. */
function withoutFence(text: string): string {
  const fence = text.search(/^[ \t]*(?:```|~~~)[ \t]*$/m);
  return fence === -1 ? text : text.slice(0, fence);
}
