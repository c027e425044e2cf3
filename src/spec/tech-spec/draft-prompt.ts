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
      : `## What is wanted\n\n${quote("request", source.text)}`,
    CLOSING,
  ];
  return `${parts.join("\n\n")}\n`;
}

const INTRODUCTION = `A tech spec describes how something is built in this repository, so precisely that several agents can build its parts in parallel without
talking to each other. Look around in the repository first, so that names, paths, conventions and commands are the real ones. You may
read everything and change nothing. Questions are not answered: decide what is open as the repository suggests, and list the decision under
Open questions.`;

const RULES = [
  "Every requirement is a row under Requirements with its id: the one it has in the product requirements (default: R1, R2, …). Elsewhere it is named by that id.",
  "Nothing is left out of the requirements, and nothing is added that does not follow from them.",
  "Names of types, fields, paths, endpoints and status codes are final: say each of them once and exactly.",
  "Components own different files. A file that several components need is made by one of them first.",
  "Commands under Testing work from the root of the repository.",
  "Write what is true when it is done. No placeholders, no alternatives.",
];

const CLOSING = `Your answer is one JSON object, as your last message and with nothing around it: \`{"title": "…", "body": "…"}\`. \`title\` is a few words
without an id. \`body\` is the Markdown of the sections. A person reads it before anything is built.`;

function quote(tag: string, text: string, file?: string): string {
  const name = file === undefined ? "" : ` file="${file.replaceAll('"', "'")}"`;
  return `<${tag}${name}>\n${text.trim()}\n</${tag}>`;
}

/** What is new to an agent that remembers its draft. */
export function draftRepair(problems: readonly string[]): string {
  return `Your draft cannot be used yet:

${problems.map((one) => `- ${one}`).join("\n")}

Answer with the whole draft again: one JSON object and nothing around it.
`;
}

export function draftCorrection(sentence: string): string {
  return `The person who approves the tech spec wants it changed:

${quote("correction", sentence)}

Change everything that follows from it, leave the rest as it is, and answer with the whole draft again: one JSON object and nothing
around it.
`;
}

/** The same for an agent that remembers nothing: `prompt` is what it was asked, `before` its draft. */
export function withDraft(prompt: string, before: string, more: string): string {
  return `${prompt}\n## Your draft so far\n\n${quote("draft", before)}\n\n${more}`;
}
