import { type Catalog, createFindingBuilder, type FindingBuilder, suggest } from "../../core/catalog.ts";
import { plait } from "../../core/text/command.ts";
import { listChoices, listQuoted, quoted } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { type Strings, type Suggested, wordKinds } from "../../formats/catalog-kinds.ts";

/** How the reader adds an id, as the end of a hint. */
type AddTo = Strings<"addTo">;

const LONGEST = 80;
const MOST_LISTED = 8;

const shorten = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** What a design or an artifact folder leaves out of its documents and contracts. */
export const coverageCatalog = {
  "requirement-uncovered": {
    severity: "error",
    title: "No task covers a requirement",
    explanation:
      "Requirements have ids (R1, FR-2, 1.1), and each task lists in covers the ones it builds. Add the id to a task, or to out_of_scope with a reason. A design or folder without any covers gets one warning.",
    example: '"covers": ["R1", "R2"]',
    ...wordKinds({
      one: [
        ({ id, text }: Strings<"id" | "text">) =>
          `no task covers ${quoted(id)}${text === "" ? "" : `: ${shorten(text)}`}`,
        ({ id, addTo }: Strings<"id"> & AddTo) => `add ${id} to ${addTo}`,
      ],
      all: [
        ({ ids }: { readonly ids: readonly string[] }) =>
          `no task lists requirements, so ${listQuoted(ids, "requirements", MOST_LISTED)} cannot be checked`,
        ({ addTo }: AddTo) => `add each id to ${addTo}`,
      ],
    }),
  },
  "requirement-unknown": {
    severity: "error",
    title: "Unknown requirement",
    explanation:
      "The id in covers or out_of_scope is not in the product requirements or the tech spec. Ids count where they begin a heading, a list item, a table row or a paragraph.",
    message: ({ id }: Strings<"id">) => `${quoted(id)} is not a requirement in the spec documents`,
    hint: ({ suggestion, known }: Suggested & { readonly known: readonly string[] }) =>
      known.length === 0
        ? fix("add requirement ids to the spec documents", plait("explain", "requirement-unknown"))
        : suggest(suggestion, listChoices(known, "requirements", MOST_LISTED)),
  },
  "requirement-unchecked": {
    severity: "warning",
    title: "Requirements cannot be checked",
    explanation:
      "Tasks list requirements, but a document in the manifest (metadata.prd, metadata.tech_spec) cannot be read. Correct the path, or restore the file.",
    message: ({ path, problem }: Strings<"path" | "problem">) =>
      `the document ${quoted(path)} ${problem}, so requirements cannot be checked`,
    hint: "correct its path in manifest.json: `metadata`",
  },
  "requirement-out-of-scope": {
    severity: "error",
    title: "A requirement is covered and out of scope",
    explanation:
      "out_of_scope lists requirements that are deliberately left out. A task covers this one, so one of the two is wrong.",
    example: '"out_of_scope": [{ "id": "R9", "reason": "decided in RFC-0012" }]',
    message: ({ id, task }: Strings<"id" | "task">) =>
      `${quoted(id)} is out of scope, but ${quoted(task)} covers it`,
    hint: "delete it from `covers` or `out_of_scope`",
    related: ({ task }: Strings<"task">) => `${quoted(task)} covers it here`,
  },
  "requirement-twice": {
    severity: "warning",
    title: "Duplicate requirement id",
    explanation: "Only the first is tracked, so the second can be left out without a finding.",
    message: ({ id }: Strings<"id">) => `the requirement id ${quoted(id)} is used twice`,
    hint: ({ id }: Strings<"id">) => `rename one ${quoted(id)}`,
    related: () => "first used here",
  },
  "operation-unowned": {
    severity: "error",
    title: "No task implements an API operation",
    explanation:
      "contracts/api-schema.yaml is what tasks agree on, and each task lists in operations the ones it implements, as METHOD /path or by operationId. A design or folder without operations gets at most one warning.",
    example: '"operations": ["GET /products/{sku}", "POST /reservations"]',
    ...wordKinds({
      one: [({ operation }: Strings<"operation">) => `no task implements ${quoted(operation)}`],
      all: [
        ({ operations }: { readonly operations: number }) =>
          `no task lists operations, so ${operations} in the API contract cannot be checked`,
      ],
    }),
    hint: ({ operation, addTo }: Strings<"operation"> & AddTo) => `add ${quoted(operation)} to ${addTo}`,
  },
  "operation-unknown": {
    severity: "error",
    title: "Unknown API operation",
    explanation:
      "The entry in operations is neither METHOD /path nor an operationId in the API contract. Names of path parameters do not matter; the path may include the server's prefix.",
    message: ({ operation }: Strings<"operation">) =>
      `${quoted(operation)} is not an operation in the API contract`,
    hint: ({ suggestion }: Suggested) =>
      suggest(suggestion, "use an operation in the contract, such as `GET /products`"),
  },
  "wave-unvalidated": {
    severity: "warning",
    title: "A wave has no validation",
    explanation:
      "The validation is a shell command that runs when all tasks of a wave are merged. Without it, the next wave builds on work that was checked only task by task.",
    example: '{ "number": 1, "validation": "npm test" }',
    message: ({ waves }: { readonly waves: readonly number[] }) =>
      waves.length === 1
        ? `wave ${waves[0]} has no validation`
        : `waves ${waves.slice(0, -1).join(", ")} and ${waves.at(-1)} have no validation`,
    hint: 'add a command that checks the merged wave: `"validation": "npm test"`',
  },
  "contracts-differ": {
    severity: "warning",
    title: "Types and API contract contradict each other",
    explanation:
      "A type and a schema have the same name, and differ in a field, its type, or whether it is optional. Change one, or rename it. For an agent that designs, this is an error.",
    message: ({ name, difference }: Strings<"name" | "difference">) => `${quoted(name)}: ${difference}`,
    hint: ({ name }: Strings<"name">) => `change or rename one ${quoted(name)}`,
    related: ({ path }: Strings<"path">) => `in ${quoted(path)}`,
  },
} as const satisfies Catalog;

export const buildCoverageFinding: FindingBuilder<typeof coverageCatalog> =
  createFindingBuilder(coverageCatalog);
