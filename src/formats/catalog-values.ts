import type { Catalog } from "../core/catalog.ts";
import { quoted } from "../core/text/figures.ts";
import { short } from "./words.ts";

/** What to use instead of an unknown key: another key, or an instruction where to put it. */
export type KeyAdvice = { readonly use: string } | { readonly move: string };

type UnknownKey =
  | {
      readonly kind: "key";
      readonly key: string;
      readonly place: string;
      readonly advice: KeyAdvice | null;
      readonly suggestion: string | null;
      /** Listed once per file, if nothing else helps. */
      readonly known: readonly string[] | null;
    }
  | { readonly kind: "merge-key"; readonly noun: string }
  | { readonly kind: "reserved"; readonly key: string }
  | { readonly kind: "renamed"; readonly key: string; readonly name: string; readonly line: string };

/** A value and how it could be written instead. */
export type ValueProblem = {
  readonly label: string;
  /** Ends a sentence that begins with "must be". */
  readonly expected: string;
  /** Null: the key has no value. Empty: the expectation alone explains it. */
  readonly found: string | null;
  readonly fix: ValueFix | null;
};

export type ValueFix =
  | { readonly kind: "write" | "quote" | "unquote" | "suggestion"; readonly text: string }
  | { readonly kind: "list" }
  | { readonly kind: "duration"; readonly number: string };

function formatValue({ label, expected, found }: ValueProblem): string {
  if (found === "") return `${label} must be ${expected}`;
  return found === null
    ? `${label} has no value; expected ${expected}`
    : `${label} must be ${expected}, not ${found}`;
}

function formatFix({ fix }: ValueProblem): string | null {
  switch (fix?.kind) {
    case "write":
      return `write \`${fix.text}\``;
    case "quote":
      return `quote it: \`${JSON.stringify(short(fix.text))}\``;
    case "unquote":
      return `remove the quotes: \`${short(fix.text)}\``;
    case "suggestion":
      return `did you mean \`${fix.text}\`?`;
    case "list":
      return "start each list item with `- `";
    case "duration":
      return `add a unit: \`${short(fix.number)}m\` or \`${short(fix.number)}s\``;
    default:
      return null;
  }
}

function formatUnknownKey(params: UnknownKey): string {
  switch (params.kind) {
    case "key":
      return `unknown key ${quoted(params.key)} ${formatPlace(params.place)}`;
    case "merge-key":
      return `the merge key \`<<\` is not supported in a ${params.noun}`;
    case "reserved":
      return `unknown key ${quoted(params.key)}`;
    default:
      return `${quoted(params.key)} is the old name of ${quoted(params.name)}`;
  }
}

function formatKeyFix(params: UnknownKey): string {
  if (params.kind === "renamed") return `write \`${params.line}\``;
  if (params.kind === "reserved") return `delete ${quoted(params.key)}`;
  if (params.kind === "merge-key")
    return params.noun === "plan"
      ? "put shared settings under `defaults`"
      : "write out the keys, without `<<`";
  const { advice, suggestion, known, place, key } = params;
  if (advice !== null) return "use" in advice ? `write \`${advice.use}\` instead` : advice.move;
  if (suggestion !== null) return `did you mean ${quoted(suggestion)}?`;
  return known === null
    ? `delete ${quoted(key)}`
    : `use one of the known keys ${formatPlace(place)}: ${known.join(", ")}`;
}

const FILES = ["plan", "configuration", "manifest", "design"];
const WITH_ARTICLE = ["task", "gate", "price", "wave"];

/** Where a key is: `at the top of the plan`, `in a task`. */
function formatPlace(place: string): string {
  if (FILES.includes(place)) return `at the top of the ${place}`;
  return `in ${WITH_ARTICLE.includes(place) ? `a ${place}` : place}`;
}

/** Keys and values, whatever the format. */
export const valueCatalog = {
  "duplicate-key": {
    severity: "error",
    title: "Duplicate key",
    explanation: "Most readers would silently use the last value. Keep the one you mean.",
    message: ({ key }: { readonly key: string }) => `the key ${quoted(key)} is used twice`,
    hint: ({ key }: { readonly key: string }) => `delete one ${quoted(key)}`,
    related: () => "first used here",
  },
  "unknown-key": {
    severity: "error",
    title: "Unknown key",
    explanation:
      "A mistyped key that is silently ignored would change what a run does. In a dispatch manifest, which other tools read too, unknown keys are warnings.",
    message: formatUnknownKey,
    hint: formatKeyFix,
  },
  "missing-key": {
    severity: "error",
    title: "Missing key",
    explanation: "The map at this place requires the key.",
    message: ({ key, place }: { readonly key: string; readonly place: string }) =>
      `missing key ${quoted(key)} ${formatPlace(place)}`,
    hint: ({
      key,
      expected,
      line,
    }: {
      readonly key: string;
      readonly expected?: string;
      readonly line?: string;
    }) => (line === undefined ? `add \`${key}\`: ${expected}` : `add \`${line}\``),
  },
  "wrong-type": {
    severity: "error",
    title: "Value of the wrong type",
    explanation:
      "YAML decides the type by how a value is written: 1 is a number, true is a boolean, 1.10 is the number 1.1. Quote such values where a string is expected.",
    example: 'env: { PORT: "3000" }',
    message: formatValue,
    hint: formatFix,
  },
  "bad-value": {
    severity: "error",
    title: "Invalid value",
    explanation:
      "The type is right, but the value is out of range, not one of the known words, or malformed.",
    example: "timeout: 45m\nidle-timeout: 90s\nsave: { max-bytes: 50MB }",
    message: formatValue,
    hint: formatFix,
  },
  "task-work": {
    severity: "error",
    title: "A task needs exactly one kind of work",
    explanation:
      'A task runs an agent with a prompt ("prompt", or "prompt-file" for a file with the prompt) or a program ("command"). Use exactly one of the three keys.',
    example: "- id: docs\n  command: npm run docs",
    message: (params: { readonly given: readonly string[]; readonly keys: readonly string[] }) =>
      params.given.length === 0
        ? `the task has no work: expected ${params.keys.join(" or ")}`
        : `the task has ${params.given.join(" and ")}; only one of them is allowed`,
    hint: ({ given }: { readonly given: readonly string[] }) =>
      given.length === 0
        ? "describe the work in `prompt`"
        : `delete \`${given.at(-1)}\`, or make it another task`,
    related: ({ key }: { readonly key: string }) => `\`${key}\` is here`,
  },
  "unused-key": {
    severity: "warning",
    title: "Key without effect",
    explanation:
      "The task runs a command and the key is for agents, or the key belongs to another tool whose plans plait reads.",
    message: ({ key, reason }: { readonly key: string; readonly reason: string }) =>
      `\`${key}\` has no effect: ${reason}`,
    hint: ({ key }: { readonly key: string }) => `delete \`${key}\``,
  },
} as const satisfies Catalog;
