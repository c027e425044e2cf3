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
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, "0");
}
