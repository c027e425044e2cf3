import type { Located } from "../../core/source.ts";
import { find, type Path, rangeAt } from "../yaml/tree.ts";
import { countAt, type Doc, textAt, textsAt } from "./fields.ts";

/** What a task says it builds: requirements by id, operations of the API contract by method and path. */
export type TaskCoverage = {
  readonly covers: readonly Located<string>[];
  readonly operations: readonly Located<string>[];
};

export const noCoverage: TaskCoverage = { covers: [], operations: [] };

export function readTaskCoverage(doc: Doc): TaskCoverage {
  return { covers: readIds(doc, "covers"), operations: textsAt(doc, "operations") };
}

/** As they are written: `1.10` is not `1.1`. */
export function readIds(doc: Doc, ...path: Path): Located<string>[] {
  const places =
    find(doc.tree, path)?.kind === "list" ? countAt(doc, ...path).map((i) => [...path, i]) : [path];
  return places.flatMap((place) => {
    const node = find(doc.tree, place);
    if (node?.kind !== "scalar" || node.value === null) return [];
    const value = typeof node.value === "string" ? node.value.trim() : node.source.trim();
    return value === "" ? [] : [{ value, at: rangeAt(doc.index, doc.tree, place) }];
  });
}

/** What a manifest says of the documents that its tasks come from. Paths are from the root of the repository. */
export type ManifestSources = {
  readonly techSpec: Located<string> | null;
  readonly prd: string | null;
  readonly outOfScope: readonly { readonly id: Located<string>; readonly reason: string }[];
};

/** As either generation of manifests says it. */
export function readManifestSources(doc: Doc): ManifestSources {
  const techSpec = textAt(doc, "metadata", "tech_spec") ?? textAt(doc, "tech_spec", "path");
  return {
    techSpec: techSpec ?? textAt(doc, "sources", "tech_spec"),
    prd: (textAt(doc, "metadata", "prd") ?? textAt(doc, "sources", "prd"))?.value ?? null,
    outOfScope: countAt(doc, "metadata", "out_of_scope").flatMap((i) => {
      const id = textAt(doc, "metadata", "out_of_scope", i, "id");
      const reason = textAt(doc, "metadata", "out_of_scope", i, "reason");
      return id === null ? [] : [{ id, reason: reason?.value ?? "" }];
    }),
  };
}
