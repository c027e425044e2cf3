import { frontMatter } from "../front-matter.ts";

/**
 * Whether a text means to be a native plan: its first key is at the left edge (or it is one flow map), and `plait` is
 * among the keys. Reads no YAML, so that a broken plan is still recognised and its errors are told.
 */
export function isNative(path: string, text: string): boolean {
  const part = frontMatter(path, text);
  const yaml = part ? text.slice(part.start, part.end) : text;
  const [first = ""] = /^(?![ \t]*(?:#|$|---|%)).*$/m.exec(yaml) ?? [];
  if (/^\s*\{/.test(first)) return /(^|[\s{,])(["']?)plait\2\s*:/.test(yaml);
  return /^["']?[\w$-]+["']?\s*:/.test(first) && /^(["']?)plait\1\s*:/m.test(yaml);
}
