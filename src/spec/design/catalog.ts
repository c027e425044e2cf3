import { capFlags } from "../../core/caps.ts";
import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { listChoices, listQuoted, quoted } from "../../core/text/figures.ts";
import { type Strings, type Suggested, wordKinds } from "../../formats/catalog-kinds.ts";

type Task = Strings<"task">;
type Path = Strings<"task" | "path">;
type Other = Strings<"task" | "path" | "other">;
type Scoped = Task & { readonly missing: "boundary" | "files" };
type Hours = Task & { readonly [K in "hours" | "few" | "many" | "most"]: number };
type Later = Path & Strings<"maker"> & { readonly [K in "wave" | "makerWave"]: number };

type Words = (params: Path) => string;
const says =
  (problem: string) =>
  ({ path }: Strings<"path">) =>
    `${quoted(path)} ${problem}`;
const modifies: Words = ({ task, path }) => `${quoted(task)} modifies ${quoted(path)}`;
const creates: Words = ({ task, path }) => `${quoted(task)} creates ${quoted(path)}`;

const MOST_NAMED = 6;

export const designCatalog = {
  "design-too-large": {
    severity: "error",
    title: "The design is too large",
    explanation:
      "A design is one JSON document with everything in the artifact folder. --max-plan-bytes raises the limit.",
    message: ({ bytes, limit }: { readonly bytes: number; readonly limit: number }) =>
      `the design is too large: ${bytes} bytes (limit: ${limit})`,
    hint: `raise the limit: ${capFlags.maxPlanBytes}`,
  },
  "design-scope": {
    severity: "error",
    title: "Incomplete scope of a task",
    explanation:
      "Tasks of one wave run in parallel, so each lists the files it creates or modifies, and as its boundary the files it must not change, usually those that other tasks own.",
    example:
      '"scope": { "create": ["src/api.py"], "modify": ["src/app.py::routes"], "boundary": ["src/models.py"] }',
    message: ({ task, missing }: Scoped) =>
      missing === "boundary"
        ? `${quoted(task)} has no boundary`
        : `${quoted(task)} does not create or modify any files`,
    hint: ({ missing }: Pick<Scoped, "missing">) =>
      missing === "boundary"
        ? "list in `boundary` the files that other tasks own"
        : "list files in `create` or `modify`, or delete the task",
  },
  "design-path": {
    severity: "error",
    title: "A scope entry is not a path",
    explanation:
      "Each entry is one path or glob from the root of the repository, optionally with ::Class.method, because it is compared with changed files.",
    example: '"create": ["src/inventory/{models,views}.py", "tests/inventory/test_*.py"]',
    ...wordKinds({
      nothing: [says("is not a path"), "delete it; a list may be empty: `[]`"],
      several: [says("names several paths"), 'write each path as its own entry: `["a.py", "b.py"]`'],
      "not-a-path": [says("is not a path"), "use only a path or a glob: `src/api/*.py`"],
      remark: [says("has more than a path"), "use only a path or a glob; put remarks in `requirements`"],
      git: [
        says("belongs to git and cannot be committed"),
        "use a file in the project, such as `src/api.py`",
      ],
      part: [
        says("names a part, but a file is created as a whole"),
        ({ file }: Strings<"file">) => `use ${quoted(file)}, or name the part in \`modify\``,
      ],
    }),
  },
  "modify-missing": {
    severity: "error",
    title: "A task modifies a missing file",
    explanation:
      "A file can be modified if it is in the repository or a task in an earlier wave creates it. Correct the path, create the file, or move the task to a later wave.",
    ...wordKinds({
      own: [(path: Path) => `${modifies(path)}, which it also creates`, "delete the path from `modify`"],
      later: [
        ({ wave, maker, makerWave, ...path }: Later) =>
          `${modifies(path)} in wave ${wave}, but ${quoted(maker)} creates it in wave ${makerWave}`,
        ({ task, makerWave }: Later) => `move ${quoted(task)}: \`"wave": ${makerWave + 1}\``,
      ],
      none: [
        (path: Path) => `${modifies(path)}, which is not in the repository or an earlier wave`,
        ({ suggestion }: Suggested) => suggest(suggestion, "correct the path, or move it to `create`"),
      ],
    }),
    related: ({ task }: Task) => `${quoted(task)} is here`,
  },
  "create-exists": {
    severity: "error",
    title: "A task creates an existing file",
    explanation:
      "The file is in the repository, so the task would overwrite it. Use modify, or create another file. A glob that covers existing files is a warning.",
    ...wordKinds({
      file: [
        (path: Path) => `${creates(path)}, which already exists`,
        "move it to `modify`, or choose a different path",
      ],
      folder: [
        (path: Path) => `${creates(path)}, which is an existing folder`,
        ({ path }: Path) => `list the files to create there: \`${path}/…\``,
      ],
      "in-file": [
        ({ other, ...path }: Other) => `${creates(path)}, but ${quoted(other)} is a file`,
        ({ path }: Path) => `correct the path ${quoted(path)}`,
      ],
      "other-case": [
        ({ other, ...path }: Other) => `${creates(path)}, which is ${quoted(other)} on macOS and Windows`,
        ({ other }: Other) => `move ${quoted(other)} to \`modify\`, or use another name`,
      ],
      covered: [
        ({ other, ...path }: Other) => `${creates(path)}, which covers the existing file ${quoted(other)}`,
        "list the new files in `create`",
      ],
    }),
  },
  "design-agent": {
    severity: "error",
    title: "Unknown or invalid agent of a task",
    explanation:
      "Agents are named plugin:agent; those in .claude/agents/ and general-purpose have no plugin. Known agents are those in .claude/agents/, in agent-skills-mapping.yaml, and those of the program that designs. Add your own to the mapping.",
    example: "agents:\n  our-experts:api-expert: { skills: [] }",
    ...wordKinds({
      unknown: [
        ({ task, agent }: Strings<"task" | "agent">) =>
          `${quoted(task)} uses the unknown agent ${quoted(agent)}`,
        ({ suggestion, known }: Suggested & { readonly known: readonly string[] }) =>
          suggest(suggestion, `use a known agent: ${listQuoted(known, "agents", MOST_NAMED)}`),
      ],
      invalid: [
        ({ task, agent }: Strings<"task" | "agent">) =>
          `${quoted(task)} uses ${quoted(agent)}, which is not an agent name`,
        "use `general-purpose`, or `plugin:agent`",
      ],
    }),
  },
  "design-skill": {
    severity: "error",
    title: "Invalid skill name",
    explanation:
      "Skills are named plugin:skill; without a plugin, the agent's plugin is used. Omit them to use the project's mapping file.",
    example: '"skills": ["our-experts:api-style"]',
    message: ({ task, skill }: Strings<"task" | "skill">) =>
      `${quoted(task)} has the skill ${quoted(skill)}, which is not a skill name`,
    hint: "use `plugin:skill`",
  },
  "task-size": {
    severity: "warning",
    title: "A task is too large or too small",
    explanation:
      "Two to four hours of a person's work are a good task. More than eight hours, or none, is an error. A task that owns very many paths is probably several tasks.",
    ...wordKinds({
      hours: [
        ({ task, hours, few, many, most }: Hours) => {
          const isPossible = hours > 0 && hours <= most;
          const range = isPossible ? `a good task takes ${few} to ${many}` : `the maximum is ${most}`;
          return `${quoted(task)} takes ${hours} hours; ${range}`;
        },
        ({ hours, many }: Hours) =>
          `${hours > many ? "split the task" : "merge it with another task"}, or correct \`hours\``,
      ],
      paths: [
        ({ task, paths, most }: Task & { readonly [K in "paths" | "most"]: number }) =>
          `${quoted(task)} owns ${paths} paths; the recommended maximum is ${most}`,
        "split the task, or own a folder: `src/api/`",
      ],
    }),
  },
  "design-contract": {
    severity: "error",
    title: "A contract is missing from the design",
    explanation:
      "contracts.types becomes contracts/types.py (or .ts, .go), contracts.api_schema becomes contracts/api-schema.yaml. Tasks can use only these. A design without contracts is a warning: its tasks may make incompatible assumptions.",
    ...wordKinds({
      none: [
        "the design has no contracts, so its tasks may make incompatible assumptions",
        "add the types that tasks share to `contracts.types`",
      ],
      unknown: [
        ({ task, contract }: Strings<"task" | "contract">) =>
          `${quoted(task)} uses the contract ${quoted(contract)}, which is not in the design`,
        ({ suggestion, given }: Suggested & { readonly given: readonly string[] }) =>
          suggest(
            suggestion,
            given.length === 0
              ? "add it to the design, under `contracts.types` or `contracts.api_schema`"
              : listChoices(given, "contracts"),
          ),
      ],
    }),
  },
  "design-shape": {
    severity: "warning",
    title: "Little can run in parallel",
    explanation:
      "Each wave waits for the whole wave before it. A first wave of one task, or more than four waves, often means that a contract could replace a wait.",
    ...wordKinds({
      alone: [
        ({ task }: Task) => `${quoted(task)} is alone in wave 1, so all other tasks wait for it`,
        "put what the other tasks need into `contracts.types`",
      ],
      waves: [
        ({ waves, most }: { readonly [K in "waves" | "most"]: number }) =>
          `the design has ${waves} waves; the recommended maximum is ${most}`,
        "merge waves whose tasks do not depend on each other: change their `wave`",
      ],
    }),
  },
  "design-answer": {
    severity: "error",
    title: "The architect's answer has no complete design",
    explanation:
      "The architect answers with one JSON document and nothing else. The document may be missing, or it may end early because the answer was too long.",
    ...wordKinds({
      none: ["no JSON found in the architect's answer", 'answer with only JSON: `{ "tasks": [...] }`'],
      /** Other errors follow from this one. */
      incomplete: [
        "incomplete JSON: the answer ended early, or a quote or brace is missing",
        "give the complete document, up to its last `}`; if the answer was too long for one reply, use shorter strings",
      ],
    }),
  },
  "design-patch": {
    severity: "error",
    title: "Invalid changes to a design",
    explanation:
      "An architect answers errors with a patch: changed or added tasks by id, ids of tasks to remove, and other changed parts. Each id appears once, a removed task must exist, and the patch must change something.",
    example: '{ "tasks": [{ "id": "task-002", … }], "remove_tasks": ["task-003"], "context_summary": null }',
    ...wordKinds({
      repeated: [
        ({ task }: Task) => `the patch has ${quoted(task)} twice`,
        ({ task }: Task) => `keep one ${quoted(task)}`,
      ],
      both: [
        ({ task }: Task) => `the patch both changes and removes ${quoted(task)}`,
        ({ task }: Task) => `keep one ${quoted(task)}`,
      ],
      unknown: [
        ({ task }: Task) => `the patch removes ${quoted(task)}, which is not a task in the design`,
        ({ suggestion, ids }: Suggested & { readonly ids: readonly string[] }) =>
          suggest(suggestion, listChoices(ids, "tasks")),
      ],
      "no-change": [
        "the patch changes nothing",
        "give each changed part with its new value, such as `tasks`",
      ],
    }),
  },
} as const satisfies Catalog;

export const buildDesignFinding: FindingBuilder<typeof designCatalog> = createFindingBuilder(designCatalog);
