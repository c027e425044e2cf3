import type { Catalog } from "../core/catalog.ts";
import { quoted } from "../core/text/figures.ts";
import { type Strings, type Suggested, wordKinds } from "./catalog-kinds.ts";
import { short } from "./words.ts";

/** What to use instead of an unknown key: another key, or an instruction where to put it. */
export type KeyAdvice = { readonly use: string } | { readonly move: string };

export type ValueProblem = {
  readonly label: string;
  /** Ends a sentence that begins with "must be". */
  readonly expected: string;
  /** Null: the key has no value. Empty: the expectation alone explains it. */
  readonly found: string | null;
  readonly fix: ValueFix | null;
};

const fixes = {
  write: (text: string) => `use \`${text}\``,
  quote: (text: string) => `quote it: \`${JSON.stringify(short(text))}\``,
  unquote: (text: string) => `remove the quotes: \`${short(text)}\``,
  suggestion: (text: string) => `did you mean \`${text}\`?`,
  list: () => "start each list item with `- `",
  duration: (number: string) => `add a unit: \`${short(number)}m\` or \`${short(number)}s\``,
};

export type ValueFix = { readonly kind: keyof typeof fixes; readonly text: string };

function formatValue({ label, expected, found }: ValueProblem): string {
  if (found === "") return `${label} must be ${expected}`;
  return found === null
    ? `${label} has no value; expected ${expected}`
    : `${label} must be ${expected}, not ${found}`;
}

const formatFix = ({ fix }: ValueProblem): string | null => fix && fixes[fix.kind](fix.text);

type UnknownKey = Strings<"key" | "place"> &
  Suggested & {
    readonly advice: KeyAdvice | null;
    /** Listed once per file, if nothing else helps. */
    readonly known: readonly string[] | null;
  };

function formatKeyFix({ advice, suggestion, known, place, key }: UnknownKey): string {
  if (advice !== null) return "use" in advice ? `use \`${advice.use}\` instead` : advice.move;
  if (suggestion !== null) return `did you mean ${quoted(suggestion)}?`;
  return known === null
    ? `delete ${quoted(key)}`
    : `use one of the known keys ${formatPlace(place)}: ${known.join(", ")}`;
}

const FILES = ["plan", "configuration", "manifest", "design"];
const WITH_ARTICLE = ["task", "gate", "price", "wave"];

/** Where a key is: `at the top level of the plan`, `in a task`. */
function formatPlace(place: string): string {
  if (FILES.includes(place)) return `at the top level of the ${place}`;
  return `in ${WITH_ARTICLE.includes(place) ? `a ${place}` : place}`;
}

/** Keys and values, whatever the format. */
export const valueCatalog = {
  "duplicate-key": {
    severity: "error",
    title: "Duplicate key",
    explanation: "Most parsers would silently use the last value. Keep the one you mean.",
    message: ({ key }: Strings<"key">) => `the key ${quoted(key)} is used twice`,
    hint: ({ key }: Strings<"key">) => `delete one ${quoted(key)}`,
    related: () => "first used here",
  },
  "unknown-key": {
    severity: "error",
    title: "Unknown key",
    explanation:
      "Unknown keys are errors, because silently ignoring a typo could change what a run does. In a dispatch manifest, which other tools also read, they are warnings.",
    ...wordKinds({
      key: [
        ({ key, place }: Strings<"key" | "place">) => `unknown key ${quoted(key)} ${formatPlace(place)}`,
        formatKeyFix,
      ],
      "merge-key": [
        ({ noun }: Strings<"noun">) => `the merge key \`<<\` is not supported in a ${noun}`,
        ({ noun }: Strings<"noun">) =>
          noun === "plan" ? "put shared settings under `defaults`" : "write out the keys, without `<<`",
      ],
      reserved: [
        ({ key }: Strings<"key">) => `unknown key ${quoted(key)}`,
        ({ key }: Strings<"key">) => `delete ${quoted(key)}`,
      ],
      renamed: [
        ({ key, name }: Strings<"key" | "name">) => `${quoted(key)} is the old name of ${quoted(name)}`,
        ({ line }: Strings<"line">) => `use \`${line}\``,
      ],
    }),
  },
  "missing-key": {
    severity: "error",
    title: "Missing key",
    explanation: "The key is required here.",
    message: ({ key, place }: Strings<"key" | "place">) => `missing key ${quoted(key)} ${formatPlace(place)}`,
    hint: ({ key, expected, line }: Strings<"key"> & Partial<Strings<"expected" | "line">>) =>
      line === undefined ? `add \`${key}\`: ${expected}` : `add \`${line}\``,
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
        ? `the task has no ${params.keys.join(" or ")}`
        : `the task has ${params.given.join(" and ")}; only one of them is allowed`,
    hint: ({ given }: { readonly given: readonly string[] }) =>
      given.length === 0
        ? "describe the work in `prompt`"
        : `delete \`${given.at(-1)}\`, or make it another task`,
    related: ({ key }: Strings<"key">) => `\`${key}\` is here`,
  },
  "unused-key": {
    severity: "warning",
    title: "Key without effect",
    explanation:
      "The task runs a command and the key is for agents, or the key belongs to another tool whose plans plait reads.",
    message: ({ key, reason }: Strings<"key" | "reason">) => `\`${key}\` has no effect: ${reason}`,
    hint: ({ key }: Strings<"key">) => `delete \`${key}\``,
  },
} as const satisfies Catalog;
