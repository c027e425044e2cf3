import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import type { KeyAdvice } from "../../formats/catalog-values.ts";
import { checkFields, countAt, type Doc } from "../../formats/cpo/fields.ts";
import { indexText, type TextIndex } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { plain, rangeAt } from "../../formats/yaml/tree.ts";
import { buildDesignFinding } from "./catalog.ts";
import { withJsonPaths } from "./json-path.ts";
import { type Design, designSchema } from "./schema.ts";

export type DesignRead = {
  /** Null where the document does not have the form of one. */
  readonly design: Design | null;
  /** All that it says, with places, also where some of it is wrong; null where it is no JSON. */
  readonly doc: Doc | null;
  /** About its form. What it means is checked by `checkDesign`, which tells of these too. */
  readonly diagnostics: readonly Diagnostic[];
};

export function readDesign(
  { file, text }: { readonly file: string; readonly text: string },
  caps: Caps,
): DesignRead {
  const index = indexText(file, text, "design");
  const refusal = sizeFinding(index, caps);
  if (refusal) return { design: null, doc: null, diagnostics: [refusal] };
  const { tree, diagnostics } = parseYaml(index, { caps, json: true });
  if (!tree) return { design: null, doc: null, diagnostics };
  const doc = { index, tree };
  const tooMany = countFinding(doc, caps);
  if (tooMany) return { design: null, doc: null, diagnostics: [...diagnostics, tooMany] };
  const said = checkFields(doc, designSchema, {
    adviceOn,
    // A key that is meant for another one holds something that would get lost.
    severityOf: ({ advice, suggestion }) => ((advice ?? suggestion) === null ? "warning" : "error"),
  }).diagnostics;
  const found = withJsonPaths([...diagnostics, ...said], doc);
  return {
    design: found.some(({ severity }) => severity === "error") ? null : designIn(doc),
    doc,
    diagnostics: found,
  };
}

function sizeFinding(index: TextIndex, { maxPlanBytes }: Caps): Diagnostic | null {
  const bytes = Buffer.byteLength(index.text);
  const at = index.lineRange(0, 0);
  if (bytes > maxPlanBytes) return buildDesignFinding("design-too-large", { bytes, limit: maxPlanBytes }, at);
  return index.text.trim() === ""
    ? buildFormatFinding("json-syntax", { kind: "empty", noun: index.noun }, at)
    : null;
}

function countFinding(doc: Doc, { maxTasks }: Caps): Diagnostic | null {
  if (countAt(doc, "tasks").length <= maxTasks) return null;
  return buildFormatFinding("too-many-tasks", { limit: maxTasks }, rangeAt(doc.index, doc.tree, ["tasks"]));
}

/** Without unknown keys that are only warnings. */
function designIn({ tree }: Doc): Design | null {
  const value = plain(tree);
  const first = designSchema.safeParse(value);
  if (first.success) return first.data;
  for (const issue of first.error.issues) {
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) delete recordAt(value, issue.path)?.[key];
  }
  return designSchema.safeParse(value).data ?? null;
}

function recordAt(value: unknown, path: readonly PropertyKey[]): Record<string, unknown> | undefined {
  let at = value as Record<PropertyKey, unknown> | undefined;
  for (const step of path) at = at?.[step] as Record<PropertyKey, unknown> | undefined;
  return at;
}

const meant: Readonly<Record<string, string>> = {
  needs: "deps",
  dependson: "deps",
  requires: "deps",
  files: "scope",
  owns: "scope",
  estimate: "hours",
  estimatedhours: "hours",
  acceptancecriteria: "checklist",
  goal: "objective",
  description: "objective",
  name: "title",
};

function adviceOn(key: string, place: string): KeyAdvice | null {
  const use = meant[key.toLowerCase().replace(/[^a-z]/g, "")];
  return place === "task" && use !== undefined ? { use } : null;
}
