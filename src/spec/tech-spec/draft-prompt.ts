// What an agent is asked that drafts a tech spec from product requirements or from one sentence.

import { fileLines } from "../design/design-prompt.ts";
import { listSections } from "./new-text.ts";

export type DraftQuestion = {
  readonly source:
    | { readonly kind: "prd"; readonly file: string; readonly text: string }
    | { readonly kind: "sentence"; readonly text: string };
  readonly technology: string | null;
  /** Tracked files, from the root of the repository. */
  readonly files: readonly string[];
};

export function draftPrompt({ source, technology, files }: DraftQuestion): string {
  const sections = listSections().map(({ name, content }) => `### ${name}\n\n${content}`);
  const parts = [
    "# Write a tech spec",
    INTRODUCTION,
    ...(technology === null ? [] : [`It is built with ${technology}.`]),
    `## Rules\n\n${RULES.map((rule) => `- ${rule}`).join("\n")}`,
    `## Sections\n\nEach of these, in this order, as \`## Name\`:\n\n${sections.join("\n\n")}`,
    `## Files of the repository\n\n${fileLines(files)}`,
    source.kind === "prd"
      ? `## The product requirements\n\n${quote("requirements", source.text, source.file)}`
      : `## What to build\n\n${quote("request", source.text)}`,
    CLOSING,
  ];
  return `${parts.join("\n\n")}\n`;
}

const INTRODUCTION = `A tech spec describes how something is built in this repository, so precisely that several agents can build its parts in parallel without
talking to each other. Look around in the repository first, so that names, paths, conventions and commands are the real ones. You may
read everything and change nothing. You cannot ask questions: make open decisions as the repository suggests, and list each one under
Open questions.`;

const RULES = [
  "Every requirement is a row under Requirements with its id: the one it has in the product requirements (default: R1, R2, …). Elsewhere it is named by that id.",
  "Leave out no requirement, and add nothing that does not follow from the requirements.",
  "Names of types, fields, paths, endpoints and status codes are final: give each one once and exactly.",
  "Components own different files. A file that several components need is created by one of them first.",
  "Commands under Testing work from the root of the repository.",
  "Describe the finished state. No placeholders, no alternatives.",
];

const CLOSING = `Your answer is one JSON object, as your last message and with nothing around it: \`{"title": "…", "body": "…"}\`. \`title\` is a few words
without an id. \`body\` is the Markdown of the sections. A person reads it before anything is built.`;

function quote(tag: string, text: string, file?: string): string {
  const name = file === undefined ? "" : ` file="${file.replaceAll('"', "'")}"`;
  return `<${tag}${name}>\n${text.trim()}\n</${tag}>`;
}

/** What is new to an agent that remembers its draft. */
export function draftRepair(problems: readonly string[]): string {
  return `Your draft has errors:

${problems.map((one) => `- ${one}`).join("\n")}

Answer with the whole draft again: one JSON object and nothing else.
`;
}

export function draftCorrection(sentence: string): string {
  return `The person who approves the tech spec wants it changed:

${quote("correction", sentence)}

Change everything that this affects, leave the rest unchanged, and answer with the whole draft again: one JSON object and nothing
around it.
`;
}

/** The same for an agent that remembers nothing: `prompt` is what it was asked, `before` its draft. */
export function withDraft(prompt: string, before: string, more: string): string {
  return `${prompt}\n## Your draft so far\n\n${quote("draft", before)}\n\n${more}`;
}
