// What the architect is asked. The rules are those that `checkDesign` holds the answer to, in words; the rest is material.

import type { KnownAgent } from "../known-agents.ts";
import type { Requirement } from "../requirements/read-requirements.ts";
import { schemaWords } from "../schema-words.ts";
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
    `## What holds for a design\n\n${RULES.map((rule) => `- ${rule}`).join("\n")}`,
    `## The document\n\nOne JSON object with these keys; where null is allowed it means that there is none:\n\n${schemaWords(schema)}`,
    `## Requirements\n\n${requirementLines(requirements)}`,
    `## Agents that a task can be given to\n\n${agents.map(agentLine).join("\n")}`,
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
talking to each other. You design how: which tasks there are, who does each, what it may touch, what it waits for, and what all of them
agree on beforehand. Look around in this repository first, so that paths, conventions and commands are the real ones. You may read
everything and change nothing. Write no code but the contracts. You cannot ask questions: where the spec leaves something open, decide
it as the repository suggests, and say in \`context_summary\` what you decided.`;

const CLOSING = `Your answer is that one JSON document, as your last message and with nothing around it. It is checked, shown to a person, and every
file for the agents is written from it. Errors come back to you with their place.`;

const RULES = [
  "Tasks of one wave run at once, and a wave starts when all of the wave before is merged. Waves are numbered from 1 without a gap. `deps` name tasks of earlier waves only; those of wave 1 have none.",
  "As much as possible is done at once: at least two tasks in wave 1, at most four waves. Agree on something in a contract rather than wait for it.",
  "A file is created by exactly one task, over all waves, and as a whole: no part of it is named, and no glob of another task covers it.",
  "In one wave, a file that one task creates must not be modified by another, and each file is modified by one task only. Several tasks may where each names another part of it, as in `app/urls.py::urlpatterns` or `src/cart.ts::Cart.total`; a class and a method of it overlap.",
  "`modify` names files that are there, or that a task of an earlier wave creates; `create` names files that are not there. Each entry is one path or glob from the root of the repository, without remarks.",
  "Every task creates or modifies something, fifteen paths at most, and has a `boundary`: paths it must not change, above all those that other tasks own. Nothing that a task owns is within its own boundary.",
  "Ids are task-001, task-002, … and no two are alike; a `component` is lower-case words with dashes, such as order-api.",
  "A task takes a person two to four hours, tests included; more than eight is refused. Say it in `hours`.",
  "Every task writes the tests of what it builds, in its own files.",
  "`agent` is one of those below, by its whole name.",
  "`requirements` and `checklist` are all that an agent sees of the spec, besides the context and the contracts: include every name, field, status code and limit that the spec gives, in its own words.",
  "Contracts are complete and parse: `types` as source text of the language, `api_schema` as OpenAPI 3. They are design documents: agents write the types themselves and import nothing from there. The `contracts` of a task name those that the design gives: `contracts/types.py` (`.ts` for typescript, `.go` for go) and `contracts/api-schema.yaml`.",
  "`covers` lists the requirements that a task builds, by the ids below. Every requirement is covered by at least one task, and by each that does a part of it. One that must not be built now is in `out_of_scope` with the reason, which a person reads; none is left out silently.",
  "`operations` lists the operations of `api_schema` that a task implements, as `GET /products/{sku}`. Every operation of `api_schema` has a task.",
  "A type of `types` and a schema of `api_schema` with the same name have the same fields, types and required fields. Types that differ have different names.",
  "Packages are pinned exactly where you know the version (`fastapi==0.115.6`, `zod@3.24.1`), and no two tasks want versions that exclude each other.",
  "Every wave has one entry in `waves`, with a `validation`: a shell command that succeeds at the root of the repository when the wave is merged, such as the tests of the project.",
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
