// The answer of `git merge-tree --write-tree -z --messages`:
//
//   <tree> NUL { <mode> <oid> <stage> TAB <path> NUL } NUL { <n> NUL <n paths, each NUL> <type> NUL <text> NUL }
//
// The types are the stable part, the texts are not. git 2.39 puts free text behind the groups when a submodule is in the
// way: reading stops at the first field that is no number.

import { type Oid, oid } from "../core/ids.ts";
import { type RawPath, rawFields } from "./raw-path.ts";

export type MergeTreeOutput = {
  readonly tree: Oid;
  /** In conflict, sorted. */
  readonly paths: readonly RawPath[];
  /** Without `Auto-merging`, which is none. */
  readonly types: readonly string[];
  /** By path: what each side has there. */
  readonly stages: ReadonlyMap<RawPath, ConflictStages>;
};

type StagedFile = { readonly mode: string; readonly oid: string };

/** Null: that side has no such file. */
export type ConflictStages = { readonly [S in "base" | "ours" | "theirs"]: StagedFile | null };

const STAGES: { readonly [stage: string]: keyof ConflictStages } = { 1: "base", 2: "ours", 3: "theirs" };

/** Null when there is no tree: the commits could not be merged at all. */
export function parseMergeTree(stdout: Buffer): MergeTreeOutput | null {
  const fields = rawFields(stdout);
  const [first = ""] = fields;
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(first)) return null;
  const paths = new Set<RawPath>();
  const stages = new Map<RawPath, ConflictStages>();
  let at = 1;
  for (; at < fields.length && fields[at] !== ""; at += 1) {
    const field = fields[at] ?? "";
    const tab = field.indexOf("\t");
    const path = field.slice(tab + 1) as RawPath;
    paths.add(path);
    const [mode = "", blob = "", stage = ""] = field.slice(0, Math.max(0, tab)).split(" ");
    const side = STAGES[stage];
    const known = stages.get(path) ?? { base: null, ours: null, theirs: null };
    if (side !== undefined) stages.set(path, { ...known, [side]: { mode, oid: blob } });
  }
  const types = new Set<string>();
  for (at += 1; /^\d+$/.test(fields[at] ?? ""); ) {
    const count = Number(fields[at]);
    const type = fields[at + count + 1] ?? "";
    if (type.startsWith("CONFLICT")) {
      types.add(type);
      for (const path of fields.slice(at + 1, at + 1 + count)) paths.add(path);
    }
    at += count + 3;
  }
  return { tree: oid(first), paths: [...paths].sort(), types: [...types].sort(), stages };
}
