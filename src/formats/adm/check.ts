import type { Unlisted } from "../../core/analyze/bounded.ts";
import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import { findingsOf } from "../findings.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import type { TextIndex } from "../text-index.ts";
import { find, keyRangeAt, type Path, plain, type Tree } from "../yaml/tree.ts";
import type { Manifest } from "./manifest.ts";
import { inTree, type Places } from "./paths.ts";
import { manifest as schema } from "./schema.ts";

/** What the schema says. Keys that nobody knows are warned of only: a manifest may carry what other tools read. */
export function check(index: TextIndex, tree: Tree): { diagnostics: Diagnostic[]; unlisted: Unlisted } {
  const result = schema.safeParse(plain(tree), { error: () => "", jitless: true });
  const findings = result.success ? [] : findingsOf(result.error.issues);
  const checked = { index, tree, schema, adviceOn: () => null, codeFor };
  // Apart, so that a key that is missing is told also where it is only misspelt.
  const unknown = findings.filter(({ kind }) => kind === "unknown-key");
  const wrong = schemaDiagnostics(
    findings.filter(({ kind }) => kind !== "unknown-key"),
    checked,
  );
  const odd = schemaDiagnostics(unknown, checked);
  return {
    diagnostics: [
      ...wrong.diagnostics,
      ...odd.diagnostics.map((one): Diagnostic => ({ ...one, severity: "warning" })),
      ...withoutMeaning(index, tree),
    ],
    unlisted: new Map([...wrong.unlisted, ...odd.unlisted]),
  };
}

function codeFor(path: Path, value: Tree): AnalyzeCode | null {
  return path.at(-1) === "prompt" && value.kind === "scalar" ? "empty-prompt" : null;
}

/** What means something to those who sent manifests to agents before, and nothing here. */
function withoutMeaning(index: TextIndex, tree: Tree): Diagnostic[] {
  const warn = (path: Path, why: string) =>
    find(tree, path) === null
      ? []
      : [
          warning("unused-key", keyRangeAt(index, tree, path), {
            message: `${String(path.at(-1))} has no meaning here: ${why}`,
            hint: "delete it, or leave it for other tools",
          }),
        ];
  const agents = listAt(tree, ["batches"]).flatMap((batch) =>
    listAt(tree, [...batch, "agents"]).flatMap((agent) =>
      warn([...agent, "commit_repos"], "the work of every task is committed and merged by plait"),
    ),
  );
  return [...warn(["pre_approved"], "what you run is not asked about again"), ...agents];
}

function listAt(tree: Tree, path: Path): Path[] {
  const list = find(tree, path);
  return list?.kind === "list" ? list.items.map((_, i) => [...path, i]) : [];
}

/** More agents at once than this are against the custom. */
const MOST_AGENTS = 4;

/** What is allowed and probably not meant. */
export function conventions({ batches }: Manifest, places: Places): Diagnostic[] {
  return batches.flatMap((batch, i) => {
    const { id, number, agents, isEmpty, isTogether } = batch;
    const above = batches[i - 1]?.number ?? null;
    const name = `batch ${quoted(id.value)}`;
    const found: Diagnostic[] = [];
    if (above !== null && number !== null && number < above)
      found.push(
        warning("batch-custom", id.at, {
          message: `${name} comes after batch ${quoted(String(above))}, and ids grow by custom`,
          hint: "the order of the list and depends_on decide, not the ids",
        }),
      );
    if (isEmpty)
      found.push(
        warning("batch-custom", id.at, {
          message: `${name} has no agents, so there is nothing to do in it`,
          hint: "what waits for it waits for what stands before it",
        }),
      );
    if (isTogether && agents.length > MOST_AGENTS)
      found.push(
        warning("batch-custom", id.at, {
          message: `${name} has ${agents.length} agents at once; by custom there are at most ${MOST_AGENTS}`,
          hint: "-j says how many really run at once",
        }),
      );
    return [...found, ...outside(batch, places)];
  });
}

/** Claims are about the tree; what lies elsewhere nobody watches. */
function outside({ agents }: Manifest["batches"][number], places: Places): Diagnostic[] {
  return agents
    .flatMap(({ owns }) => owns)
    .filter(({ value }) => inTree(value, places) === null)
    .map(({ value, at }) =>
      warning("owns-outside", at, {
        message: `${quoted(value)} is not in the repository, so nobody can watch over it`,
        hint: "name files of the repository in owns_files",
      }),
    );
}

function warning(code: FormatCode, at: SourceRange, words: { message: string; hint: string }): Diagnostic {
  return diagnostic({ code, severity: "warning", at, ...words });
}
