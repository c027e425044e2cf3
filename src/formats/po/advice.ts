import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { KeyAdvice } from "../catalog-values.ts";
import type { Finding, UnknownKey } from "../findings.ts";
import { objectsAt } from "../schema-path.ts";
import type { TextIndex } from "../text-index.ts";
import { keyRangeAt, type Tree } from "../yaml/tree.ts";
import { manifest } from "./schema.ts";

const LIMIT = "set the time limit of all tasks: --timeout 15m";
const PAUSES = "plait chooses the delay before a retry";

/** Keys that a task may not have, and what there is instead. */
const managed: ReadonlyMap<string, string> = new Map([
  ["cwd", "set `cwd` at the top level of the plan"],
  ["timeout_sec", LIMIT],
  ["idle_timeout_sec", LIMIT],
  ["retry_delay_sec", PAUSES],
  ["retry_backoff_factor", PAUSES],
]);

export function isManaged(finding: Finding): finding is UnknownKey {
  const isInTask = finding.path.length === 2 && finding.path[0] === "tasks";
  return finding.kind === "unknown-key" && isInTask && managed.has(finding.key);
}

export function managedKey({ path, key }: UnknownKey, index: TextIndex, tree: Tree): Diagnostic {
  const params = { key, instead: managed.get(key) ?? "" };
  return buildFormatFinding("managed-key", params, keyRangeAt(index, tree, [...path, key]));
}

/** Words from other tools and habits, and how a manifest says it. */
const otherWords: Readonly<Record<string, string>> = {
  after: "depends_on",
  dependencies: "depends_on",
  deps: "depends_on",
  needs: "depends_on",
  files: "writes",
  owns: "writes",
  group: "concurrency_group",
  limits: "concurrency_limits",
  retries: "max_retries",
  access: "read_only",
  instructions: "prompt",
  description: "prompt",
};

/** Advice on an unknown key that spelling does not explain: another word, or the wrong place. */
export function adviceOn(key: string, place: string): KeyAdvice | null {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  const known = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  if (known && (place === "task" || place === "plan")) return { use: known };
  if (place !== "task" && isKeyAt(["tasks", 0], key)) return { move: `move \`${key}\` to a task` };
  if (place !== "plan" && isKeyAt([], key)) return { move: `move \`${key}\` to the top of the plan` };
  return null;
}

function isKeyAt(path: readonly PropertyKey[], key: string): boolean {
  return objectsAt(manifest, path).some(({ _zod }) => Object.hasOwn(_zod.def.shape, key));
}
