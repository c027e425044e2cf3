/** Texts of users inside messages: marked, on one line, and never longer than a line. */

const LONGEST = 80;

export function quoted(text: string): string {
  const line = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``;
}

/** `a`, `b` and 3 more tasks. */
export function listed(ids: readonly string[], noun: string, most = 4): string {
  const shown = ids.slice(0, most).map(quoted);
  const rest = ids.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more ${noun}`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** 1 pair, 2 pairs, 12,000 pairs. */
export function counted(count: number, noun: string): string {
  const digits = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits} ${noun}${count === 1 ? "" : "s"}`;
}
