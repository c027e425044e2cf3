import type { Located, SourceRange } from "../../core/source.ts";
import type { TextIndex } from "../text-index.ts";
import { find, rangeAt, type Tree } from "../yaml/tree.ts";

/** What a manifest says. What was wrong in itself has been reported and is not here. */
export type Manifest = { readonly planId: string | null; readonly batches: readonly Batch[] };

export type Batch = {
  readonly id: Located<string>;
  /** Null where the id is no number. */
  readonly number: number | null;
  readonly description: string | null;
  /** Its agents start together. */
  readonly isTogether: boolean;
  /** What they said at their end goes to the batches that need it. */
  readonly isFanOut: boolean;
  readonly agents: readonly Agent[];
  /** None was written, which is another thing than one that was wrong. */
  readonly isEmpty: boolean;
  readonly verify: readonly Located<string>[];
  /** Null where the order of the list decides. */
  readonly dependsOn: readonly Located<string>[] | null;
};

export type Agent = {
  /** Null where no sub-agent is asked for. */
  readonly name: string | null;
  readonly nameAt: SourceRange;
  readonly prompt: Located<string>;
  readonly owns: readonly Located<string>[];
  /** It succeeds without a change, too. */
  readonly allowEmpty: boolean;
};

/** Reads from the tree, so that of a manifest with mistakes the rest is read too. */
export function manifestOf(tree: Tree, index: TextIndex): Manifest {
  return {
    planId: wordOf(find(tree, ["plan_id"])),
    batches: itemsOf(tree, "batches").flatMap((item) => batchOf(item, index) ?? []),
  };
}

function batchOf(tree: Tree, index: TextIndex): Batch | null {
  const written = find(tree, ["id"]);
  const id = wordOf(written);
  if (id === null) return null;
  const type = textOf(find(tree, ["type"]));
  const isParallel = find(tree, ["parallel"]);
  const agents = find(tree, ["agents"]);
  return {
    id: { value: id, at: rangeAt(index, tree, ["id"]) },
    number: written?.kind === "scalar" && typeof written.value === "number" ? written.value : null,
    description: textOf(find(tree, ["description"]))?.trim() || null,
    isTogether: type === "fan-out" || isTrue(isParallel),
    isFanOut: type === "fan-out",
    agents: itemsOf(tree, "agents").flatMap((item) => agentOf(item, index) ?? []),
    isEmpty: agents?.kind === "list" && agents.items.length === 0,
    verify: listAt(tree, "verify_files", { index }),
    dependsOn:
      find(tree, ["depends_on"])?.kind === "list"
        ? listAt(tree, "depends_on", { index, read: wordOf })
        : null,
  };
}

function agentOf(tree: Tree, index: TextIndex): Agent | null {
  const name = textOf(find(tree, ["subagent_type"]));
  const prompt = textOf(find(tree, ["prompt"]));
  if (name === null || prompt === null || prompt.trim() === "") return null;
  return {
    name: name === "" || name === "main" ? null : name,
    nameAt: rangeAt(index, tree, ["subagent_type"]),
    prompt: { value: prompt, at: rangeAt(index, tree, ["prompt"]) },
    owns: listAt(tree, "owns_files", { index }),
    allowEmpty: isTrue(find(tree, ["allow_empty"])),
  };
}

export function itemsOf(tree: Tree, key: string): readonly Tree[] {
  const list = find(tree, [key]);
  return list?.kind === "list" ? list.items : [];
}

function isTrue(node: Tree | null): boolean {
  return node?.kind === "scalar" && node.value === true;
}

function textOf(node: Tree | null): string | null {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : null;
}

/** A scalar as a word: 1 and "1" name the same batch. */
export function wordOf(node: Tree | null): string | null {
  if (node?.kind !== "scalar" || node.value === null) return null;
  return String(node.value).trim() || null;
}

/** Paths stay as they are, blanks included. */
function listAt(tree: Tree, key: string, { index, read = textOf }: Reading): Located<string>[] {
  return itemsOf(tree, key).flatMap((item, i) => {
    const value = read(item);
    return value === null || value.trim() === "" ? [] : [{ value, at: rangeAt(index, tree, [key, i]) }];
  });
}

type Reading = { readonly index: TextIndex; readonly read?: (node: Tree) => string | null };
