import type { Mask } from "./run-mask.ts";

/**
 * Takes secrets out of a diff (I13). A private key goes over many lines, each with its sign in front: `-` is no letter of a key, so all
 * are given a sign that is one, and get their own back behind it.
 */
export function maskDiff(text: string, mask: Mask): string {
  const lines = text.split("\n");
  const likeKey = lines.map((line) => (line.startsWith("-") ? `+${line.slice(1)}` : line));
  const masked = mask(likeKey.join("\n")).split("\n");
  if (masked.length !== lines.length) return mask(text);
  return masked.map((line, n) => withSign(line, lines[n] ?? "", likeKey[n] ?? "")).join("\n");
}

/** Also where the sign went with what is masked: a line without one is no line of a diff. */
function withSign(masked: string, line: string, likeKey: string): string {
  const sign = line.slice(0, 1);
  if (!SIGNS.has(sign)) return masked;
  return sign + (masked.startsWith(likeKey.slice(0, 1)) ? masked.slice(1) : masked);
}

const SIGNS: ReadonlySet<string> = new Set(["+", "-", " "]);
