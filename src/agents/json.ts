/** What strangers print as JSON, read without trust: whatever is not as expected is null, and nothing throws. */

export type JsonObject = { readonly [key: string]: unknown };

/** An object that stands alone on a line; null for anything else. */
export function parseObject(line: string): JsonObject | null {
  const trimmed = line.trim();
  if (!trimmed.startsWith("{")) return null;
  try {
    return objectOf(JSON.parse(trimmed));
  } catch {
    return null; // cut or garbled: the caller calls it noise
  }
}

export function textAt(object: JsonObject | null, key: string): string | null {
  const value = object?.[key];
  return typeof value === "string" ? value : null;
}

/** JSON knows no infinity, but `1e999` becomes one. */
export function numberAt(object: JsonObject | null, key: string): number | null {
  const value = object?.[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A number of things: a negative one would take back what others have spent. */
export function amountAt(object: JsonObject | null, key: string): number | null {
  const number = numberAt(object, key);
  return number !== null && number >= 0 ? number : null;
}

export function isTrueAt(object: JsonObject | null, key: string): boolean {
  return object?.[key] === true;
}

export function objectAt(object: JsonObject | null, key: string): JsonObject | null {
  return objectOf(object?.[key]);
}

/** The objects of a list, whatever else is in it. */
export function objectsAt(object: JsonObject | null, key: string): readonly JsonObject[] {
  return listAt(object, key)
    .map(objectOf)
    .filter((one) => one !== null);
}

export function textsAt(object: JsonObject | null, key: string): readonly string[] {
  return listAt(object, key).filter((one) => typeof one === "string");
}

function listAt(object: JsonObject | null, key: string): readonly unknown[] {
  const value = object?.[key];
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
