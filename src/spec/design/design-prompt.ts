// What the architect is asked. The rules are those that `checkDesign` holds the answer to, in words; the rest is material.

import type { KnownAgent } from "../known-agents.ts";
import type { Requirement } from "../requirements/read-requirements.ts";
import { schemaWords } from "../schema-text.ts";
import type { Technology } from "../spec-contents.ts";

export type DesignQuestion = {
  readonly techSpecId: string;
  readonly spec: Material;
  readonly prd: Material | null;
  /** Of both documents. */
  readonly requirements: readonly Requirement[];
  readonly technology: Technology | null;
  readonly agents: readonly KnownAgent[];
  /** Tracked files, from the root of the repository. */
  readonly files: readonly string[];
  /** JSON Schema of the answer. */
  readonly schema: object;
};

type Material = { readonly file: string; readonly text: string };

export function designPrompt(question: DesignQuestion): string {
  const { techSpecId, spec, prd, requirements, technology, agents, files, schema } = question;
  const parts = [
    `# Cut ${techSpecId} into tasks`,
    INTRODUCTION,
    ...(technology === null ? [] : [`It is built with ${technology}.`]),
    `## Rules for a design\n\n${RULES.map((rule) => `- ${rule}`).join("\n")}`,
    `## The document\n\nOne JSON object with these keys. Where null is allowed, it means none:\n\n${schemaWords(schema)}`,
    `## Requirements\n\n${requirementLines(requirements)}`,
    `## Agents you can assign\n\n${agents.map(agentLine).join("\n")}`,
    `## Files of the repository\n\n${fileLines(files)}`,
    ...(prd === null
      ? []
      : [`## The product requirements behind the tech spec\n\n${quoted("requirements", prd)}`]),
    `## The tech spec\n\n${quoted("tech-spec", spec)}`,
    CLOSING,
  ];
  return `${parts.join("\n\n")}\n`;
}

const INTRODUCTION = `Several agents will build what the tech spec below asks for, in parallel, each in its own worktree and without
talking to each other. You design how: which tasks there are, which agent does each, what it may change, what it waits for, and what all of them
agree on beforehand. Look around in this repository first, so that paths, conventions and commands are the real ones. You may read
everything and change nothing. Write no code except the contracts. You cannot ask questions: where the spec leaves something open, decide
it as the repository suggests, and say in \`context_summary\` what you decided.`;

const CLOSING = `Your answer is that one JSON document, as your last message and with nothing around it. It is checked, shown to a person, and every
file for the agents is written from it. Errors come back to you with their place.`;

const RULES = [
  "Tasks in one wave run in parallel, and a wave starts when the whole previous wave is merged. Waves are numbered from 1 without gaps. `deps` names only tasks in earlier waves; tasks in wave 1 have none.",
  "Run as much as possible in parallel: at least two tasks in wave 1, at most four waves. Prefer a contract over waiting for another task.",
  "Each file is created by exactly one task across all waves, and as a whole: name no part of it, and let no other task's glob cover it.",
  "Within a wave, a file that one task creates must not be modified by another, and each file is modified by one task only. Exception: several tasks may modify a file if each names a different part, as in `app/urls.py::urlpatterns` or `src/cart.ts::Cart.total`. A class and one of its methods overlap.",
  "`modify` lists files that exist, or that a task in an earlier wave creates; `create` lists files that do not exist. Each entry is one path or glob relative to the repository root, without remarks.",
  "Every task creates or modifies something, at most fifteen paths, and has a `boundary`: paths it must not change, mainly those that other tasks own. A task's own paths must not be in its boundary.",
  "Ids are task-001, task-002, … and unique; a `component` is lower-case words with dashes, such as order-api.",
  "A task takes a person two to four hours, including tests; more than eight is an error. Give the estimate in `hours`.",
  "Every task writes tests for what it builds, in files it owns.",
  "`agent` is one of those listed below, by its full name.",
  "Agents see only `requirements`, `checklist`, the context and the contracts, not the spec: include every name, field, status code and limit from the spec, in its own words.",
  "Contracts are complete and parse: `types` as source code, `api_schema` as OpenAPI 3. They are design documents: agents write the types themselves and import nothing from them. A task's `contracts` lists contracts of this design: `contracts/types.py` (`.ts` for typescript, `.go` for go) and `contracts/api-schema.yaml`.",
  "`covers` lists the requirements a task builds, by the ids below. At least one task covers every requirement; a task that builds part of one covers it too. Put requirements that must not be built now in `out_of_scope`, with the reason; a person reads it. Leave none out silently.",
  "`operations` lists the operations of `api_schema` a task implements, as `GET /products/{sku}`. Every operation has a task.",
  "A type in `types` and a schema in `api_schema` with the same name have the same fields, types and required fields. Give different types different names.",
  "Pin packages exactly if you know the version (`fastapi==0.115.6`, `zod@3.24.1`). No two tasks may need versions that exclude each other.",
  "Every wave has one entry in `waves`, with a `validation`: a shell command that succeeds in the repository root once the wave is merged, such as the project's tests.",
];

function requirementLines(requirements: readonly Requirement[]): string {
  if (requirements.length === 0)
    return "The documents have no requirement ids: leave `covers` and `out_of_scope` empty.";
  return requirements
    .map(({ id, text, at }) => `- \`${id}\` (${at.file}:${at.start.line})${text === "" ? "" : `: ${text}`}`)
    .join("\n");
}

function agentLine({ name, does, skills }: KnownAgent): string {
  const loads = skills.length === 0 ? "" : ` (skills: ${skills.join(", ")})`;
  return `- \`${name}\`${does === "" ? "" : `: ${does}`}${loads}`;
}

const MOST_FILES = 400;

/** All of them, or how many there are in each folder, as deep as there is room for: it can look for itself. */
export function fileLines(files: readonly string[]): string {
  if (files.length === 0) return "There are none yet.";
  if (files.length <= MOST_FILES) return files.map((path) => `- ${path}`).join("\n");
  let counts = countsTo(1, files);
  for (let depth = 2; depth <= DEEPEST; depth += 1) {
    const deeper = countsTo(depth, files);
    if (deeper.size > MOST_FILES) break;
    counts = deeper;
  }
  const lines = [...counts]
    .slice(0, MOST_FILES)
    .map(([path, n]) => `- ${path}${n === 1 ? "" : ` (${n} files)`}`);
  const left = counts.size - lines.length;
  const more = left > 0 ? [`- and ${left} more`] : [];
  return `${files.length} files:\n${[...lines, ...more].join("\n")}`;
}

const DEEPEST = 8;

/** Files, and the folders at that depth with the number of files that are below them. */
function countsTo(depth: number, files: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of files) {
    const parts = path.split("/");
    const place = parts.length <= depth ? path : `${parts.slice(0, depth).join("/")}/`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

function quoted(tag: string, { file, text }: Material): string {
  return `<${tag} file="${file.replaceAll('"', "'")}">\n${text.trim()}\n</${tag}>`;
}
