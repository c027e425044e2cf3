import { gatherRequirements } from "../requirements/read-requirements.ts";
import { escapeUnit } from "../task-text.ts";
import { statusWord } from "./lifecycle.ts";

/** The row of a new tech spec that is replaced by requirements, where there are any. */
const REQUIREMENT_ROW = "| R1 | REPLACE ME: what must be true, in a testable form |";

/**
 * The new text with the requirements of the product requirements in its table: by their own ids, or by R1, R2, … where they have none. From
 * then on the tech spec is the place of those ids; the other document stays as it is.
 */
export function withRequirements(text: string, prd: string | null): string {
  if (prd === null) return text;
  const { requirements, hasIds } = gatherRequirements([{ file: "", text: prd }]);
  if (requirements.length === 0) return text;
  const rows = requirements.map(
    ({ id, text: says }, i) => `| ${hasIds ? id : `R${i + 1}`} | ${cell(says)} |`,
  );
  return text.replace(REQUIREMENT_ROW, () => rows.join("\n"));
}

/** As it is written there; a bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll(/(?<!\\)\|/g, "\\|");
}

/** What a new tech spec is told. Texts are one line each. */
export type NewTechSpec = {
  readonly id: string;
  readonly title: string;
  readonly decisionRef: string | null;
  readonly author: string | null;
  readonly relatedPrd: string | null;
  /** The sentence that it was drafted from; left out where there is none. */
  readonly source?: string | null;
  /** `2026-01-15`. */
  readonly today: string;
  /** Everything below the heading; left out, the sections with placeholders. */
  readonly body?: string;
};

/** Stands wherever something is to be written. */
export const PLACEHOLDER = "REPLACE ME";

/** A tech spec, by default with everything to be written still to be written. Its sections are those that a decomposition asks for. */
export function newTechSpecText({ id, title, today, body, ...refs }: NewTechSpec): string {
  const fields: (readonly [string, string | null])[] = [
    ["tech_spec_id", id],
    ["title", title],
    ["status", statusWord("draft")],
    ["decision_ref", refs.decisionRef],
    ["author", refs.author],
    ["created", today],
    ["last_updated", today],
    ["related_prd", refs.relatedPrd],
    ...(refs.source == null ? [] : [["source", refs.source] as const]),
  ];
  const lines = fields.map(([key, value]) => `${key}:${value === null ? "" : ` ${yamlText(value)}`}`);
  return `---\n${lines.join("\n")}\n---\n${techSpecBody({ id, title, body })}`;
}

export function techSpecBody({
  id,
  title,
  body,
}: Pick<NewTechSpec, "id" | "title"> & { readonly body: string | undefined }): string {
  const sections = SECTIONS.map(([name, text]) => `## ${name}\n\n${text}\n`).join("\n");
  return `\n# ${id}: ${title}\n\n${body === undefined ? sections : `${body.trim()}\n`}`;
}

/** The sections with what belongs in each, for whoever writes one. */
export function listSections(): { readonly name: string; readonly content: string }[] {
  return SECTIONS.map(([name, text]) => ({
    name,
    content: text.replaceAll(new RegExp(`${PLACEHOLDER}:? ?`, "g"), ""),
  }));
}

const SECTIONS: readonly (readonly [name: string, text: string])[] = [
  ["Summary", `${PLACEHOLDER}: what is built, for whom, and the benefit. Three sentences.`],
  ["Goals", `- ${PLACEHOLDER}: what must be true when it is done; each must be testable`],
  [
    "Requirements",
    `Each requirement has an id, which tasks list in \`covers\`. Never reuse an id.

| id | requirement |
|---|---|
${REQUIREMENT_ROW}`,
  ],
  ["Non-goals", `- ${PLACEHOLDER}: what readers might expect but is not included`],
  [
    "Architecture",
    `${PLACEHOLDER}: the components and how they communicate, where they run, and what already exists and stays.`,
  ],
  [
    "Data model",
    `${PLACEHOLDER}: types with their fields, what is required, what is unique, and what is stored where. Parallel tasks rely on
these, so names must be final.`,
  ],
  ["API", `${PLACEHOLDER}: each operation with its path, input, output and error responses.`],
  [
    "Components",
    `Tasks are split along these rows. A file belongs to one component; list shared components first.

| component | files | needs | done by |
|---|---|---|---|
| ${PLACEHOLDER} | \`src/example/\` | | |`,
  ],
  ["Dependencies", `- ${PLACEHOLDER}: packages to add, upgrade or remove, with versions; or "none"`],
  [
    "Testing",
    `${PLACEHOLDER}: what is tested and how, and the commands that run tests and linter from the repository root.`,
  ],
  ["Rollout", `${PLACEHOLDER}: migrations, flags, deployment order, and rollback.`],
  ["Risks", `- ${PLACEHOLDER}: what may go wrong, how to detect it, and what to do`],
  ["Open questions", `- ${PLACEHOLDER}: what has to be decided, and by whom; none once it is approved`],
];

/** Words that YAML reads as something else than a text, and signs that mean something to it, are quoted. */
function yamlText(text: string): string {
  const isPlain = /^[\p{L}\d][\p{L}\p{M}\d ._/()+,@-]*$/u.test(text) && !text.endsWith(" ");
  const isWord = !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) && !/^[\d.+-][\d._e+-]*$/i.test(text);
  return isPlain && (isWord || DATE.test(text))
    ? text
    : JSON.stringify(text).replace(UNPRINTABLE, escapeUnit);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
/** JSON leaves these as they are, and YAML does not take all of them. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
