import { openedFrontMatter } from "../front-matter.ts";

/** The key that says what the file is, and what it was called before. */
export const VERSION_KEY = "po_plan_version";
export const OLD_VERSION_KEY = "clade_plan_version";

const names = `(["']?)(?:${VERSION_KEY}|${OLD_VERSION_KEY})\\1\\s*:`;
const atLeftEdge = new RegExp(`^${names}`, "m");
const inFlowMap = new RegExp(`^\\s*\\{(?:.*[\\s{,])?${names}`, "s");

/**
 * Whether a text means to be a manifest of parallel-orchestra: its first line opens front matter, and the key with the version
 * is in it. Reads no YAML, and needs no closing line, so that what is wrong can be told.
 */
export function isManifest(text: string): boolean {
  const part = openedFrontMatter(text);
  return part !== null && hasVersion(text.slice(part.start, part.end));
}

/** Whether the key is at the left edge at all, be it in front matter or not. */
export function hasVersion(yaml: string): boolean {
  return atLeftEdge.test(yaml) || inFlowMap.test(yaml);
}
