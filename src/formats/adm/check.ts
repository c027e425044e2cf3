import type { Unlisted } from "../../core/analyze/findings.ts";
import type { CodeParams } from "../../core/catalog.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { findingsOf } from "../findings.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import type { TextIndex } from "../text-index.ts";
import { find, keyRangeAt, type Path, plain, type Tree } from "../yaml/tree.ts";
import type { admCatalog } from "./catalog.ts";
import type { Manifest } from "./manifest.ts";
import { inTree, type Places } from "./paths.ts";
import { manifest as schema } from "./schema.ts";

/** Findings of the schema. Unknown keys are warnings: a manifest may carry what other tools read. */
export function check(index: TextIndex, tree: Tree): { diagnostics: Diagnostic[]; unlisted: Unlisted } {
  const result = schema.safeParse(plain(tree), { error: () => "", jitless: true });
  const findings = result.success ? [] : findingsOf(result.error.issues);
  const { diagnostics, unlisted } = schemaDiagnostics(findings, {
    ...{ index, tree, schema },
    codeFor: (path, value) => (path.at(-1) === "prompt" && value.kind === "scalar" ? "empty-prompt" : null),
    adviceOn: () => null,
    severityOf: () => "warning",
  });
  return { diagnostics: [...diagnostics, ...withoutMeaning(index, tree)], unlisted };
}

/** Keys that other tools use and plait does not. */
function withoutMeaning(index: TextIndex, tree: Tree): Diagnostic[] {
  const warn = (path: Path, reason: string) => {
    const params = { key: String(path.at(-1)), reason };
    if (find(tree, path) === null) return [];
    return [buildFormatFinding("unused-key", params, keyRangeAt(index, tree, path))];
  };
  const agents = listAt(tree, ["batches"]).flatMap((batch) =>
    listAt(tree, [...batch, "agents"]).flatMap((agent) =>
      warn([...agent, "commit_repos"], "plait commits and merges the work of every task"),
    ),
  );
  return [...warn(["pre_approved"], "plait does not ask before it runs a plan"), ...agents];
}

function listAt(tree: Tree, path: Path): Path[] {
  const list = find(tree, path);
  return list?.kind === "list" ? list.items.map((_, i) => [...path, i]) : [];
}

/** By convention no more run in parallel. */
const MOST_AGENTS = 4;

/** What is allowed and probably not meant. */
export function conventions({ batches }: Manifest, places: Places): Diagnostic[] {
  return batches.flatMap((batch, i) => {
    const { id, number, agents, isEmpty, isTogether } = batch;
    const above = batches[i - 1]?.number ?? null;
    const found: Diagnostic[] = [];
    const report = (params: CodeParams<typeof admCatalog, "batch-custom">) =>
      found.push(buildFormatFinding("batch-custom", params, id.at));
    if (above !== null && number !== null && number < above)
      report({ kind: "order", batch: id.value, above: String(above) });
    if (isEmpty) report({ kind: "empty", batch: id.value });
    if (isTogether && agents.length > MOST_AGENTS)
      report({ kind: "many", batch: id.value, agents: agents.length, most: MOST_AGENTS });
    return [...found, ...outside(batch, places)];
  });
}

/** plait checks changes in the repository only. */
function outside({ agents }: Manifest["batches"][number], places: Places): Diagnostic[] {
  return agents
    .flatMap(({ owns }) => owns)
    .filter(({ value }) => inTree(value, places) === null)
    .map(({ value, at }) => buildFormatFinding("owns-outside", { path: value }, at));
}
