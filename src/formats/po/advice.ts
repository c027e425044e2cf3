import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import type { Finding, UnknownKey } from "../findings.ts";
import { objectsAt } from "../schema-path.ts";
import type { TextIndex } from "../text-index.ts";
import { keyRangeAt, type Tree } from "../yaml/tree.ts";
import { manifest } from "./schema.ts";

const LIMIT = "plait run --timeout 15m sets the time limit of all tasks";
const PAUSES = "plait decides how long it waits before it tries again";

/** Keys that a task may not have, and what there is instead. */
const managed: ReadonlyMap<string, string> = new Map([
  ["cwd", "cwd at the top of the plan holds for all tasks"],
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
  return diagnostic({
    code: "managed-key" satisfies FormatCode,
    message: `a task does not set \`${key}\`: it is internally managed`,
    at: keyRangeAt(index, tree, [...path, key]),
    hint: `delete it; ${managed.get(key)}`,
  });
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
  access: "read_only: true or read_only: false",
  instructions: "prompt",
  description: "prompt",
};

/** What to say about an unknown key when more is known than its spelling: it is another word, or at the wrong place. */
export function adviceOn(key: string, place: string): string | null {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  const known = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  if (known && (place === "task" || place === "plan")) return `write ${known} instead`;
  if (place !== "task" && isKeyAt(["tasks", 0], key)) return `${key} is set in a task`;
  if (place !== "plan" && isKeyAt([], key)) return `${key} is set at the top of the plan`;
  return null;
}

function isKeyAt(path: readonly PropertyKey[], key: string): boolean {
  return objectsAt(manifest, path).some(({ _zod }) => Object.hasOwn(_zod.def.shape, key));
}
