import type { PieceChange } from "../syntax/piece-changes.ts";

/** What a claim names, as people read it. */
export function ownedText(symbols: readonly string[]): string {
  return listed(symbols.map((symbol) => `\`${symbol}\``));
}

/** A part of a file as the beginning of a sentence. */
export function partText({ path, kind, what }: PieceChange): string {
  if (path === null && kind === "opening") return "the beginning of the file";
  if (path === null) return kind === "comment" ? "a comment of the file" : "an unnamed part";
  if (kind === "comment") return `a comment of \`${path}\``;
  if (kind === "export") return `the export of \`${path}\``;
  return kind === "head" && what === "changed" ? `the head of \`${path}\`` : `\`${path}\``;
}

/** What went with a file. */
export function lostText(changes: readonly PieceChange[]): string {
  const named = changes.filter(({ path, kind }) => path !== null && kind !== "comment");
  return named.length === 0 ? "its content" : listed(named.map(({ path }) => `\`${path}\``));
}

const MOST = 3;

function listed(names: readonly string[]): string {
  if (names.length > MOST + 1) return `${names.slice(0, MOST).join(", ")} and ${names.length - MOST} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
