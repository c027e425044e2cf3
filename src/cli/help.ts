import { type CommandGroup, type CommandSpec, commands, groups } from "./commands.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import { capFlagNames, type Flag, type FlagName, flags, globalFlags } from "./flags.ts";
import { joinParts, measureTerms, type Row, renderRows } from "./help-layout.ts";
import { wrapWords } from "./render/width.ts";

/** The commands of `plait --help`, in groups. */
const sections: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Run", ["run", "resume", "stop", "demo"]],
  ["Inspect", ["status", "watch", "ui", "logs", "diff", "report", "runs"]],
  ["Step in", ["retry", "approve", "open", "submit", "drop", "land", "undo", "rescue"]],
  ["Plans and specs", ["validate", "plan", "convert", "integrate", "spec", "explain"]],
  ["Set up", ["doctor", "mcp", "schema", "compat", "clean", "restore"]],
];

/** A command with more lines of options than this shows them in groups. */
const MOST_UNGROUPED = 8;

export function renderMainHelp(width: number): string {
  const known = new Map([...groups, ...commands].map(({ name, summary }) => [name, summary]));
  const left = measureTerms(sections.flatMap(([, names]) => names));
  return joinParts([
    wrapWords("Run coding agents in parallel from a plan, and land their work on one branch.", width),
    ["Usage: plait <command> [options]"],
    ...sections.map(([title, names]) =>
      renderRows(
        title,
        names.map((name): Row => [name, known.get(name) ?? ""]),
        { left, width },
      ),
    ),
    wrapWords("More: plait <command> --help, plait help options, plait help exit-codes", width),
  ]);
}

export function renderGroupHelp({ name, summary }: CommandGroup, width: number): string {
  const prefix = `${name} `;
  const rows = commands
    .filter((spec) => spec.name.startsWith(prefix))
    .map((spec): Row => [spec.name.slice(prefix.length), spec.summary]);
  return joinParts([
    wrapWords(`${summary}.`, width),
    [`Usage: plait ${name} <command> [options]`],
    renderRows("Commands", rows, { width }),
    wrapWords(`More: plait ${name} <command> --help, plait help options`, width),
  ]);
}

export function renderCommandHelp(spec: CommandSpec, width: number): string {
  const { argument, summary, description = `${summary}.`, rows = [] } = spec;
  const shown = spec.flags.filter((name) => !isCap(name));
  const left = measureTerms(listFlagRows(shown).map(([term]) => term));
  return joinParts([
    wrapWords(description, width),
    listUsages(spec).map((usage, index) => `${index === 0 ? "Usage:" : "      "} plait ${usage}`),
    argument?.[1] === undefined ? [] : renderRows("Arguments", [[argument[0], argument[1]]], { left, width }),
    ...groupFlags(shown).map(([title, names]) => renderRows(title, listFlagRows(names), { left, width })),
    renderRows("Commands", rows, { width }),
    ["Examples", ...spec.examples.map((example) => `  ${example}`)],
    wrapWords(
      spec.flags.some(isCap)
        ? "More: plait help options (global), plait help limits (--max-plan-bytes, ...)"
        : "More: plait help options",
      width,
    ),
  ]);
}

const topics: { readonly [topic: string]: (width: number) => string } = {
  options: (width) =>
    joinParts([
      renderRows(
        "Global options",
        [
          ...listFlagRows(globalFlags),
          ["-V, --version", "Print the version"],
          ["-h, --help", "Show help for a command"],
        ],
        { width },
      ),
    ]),
  "exit-codes": (width) => joinParts([renderRows("Exit codes", exitCodeMeanings, { width })]),
  limits: (width) => joinParts([renderRows("Limits", listFlagRows(capFlagNames), { width })]),
};

/** What `plait help <topic>` prints beside the commands. */
export const helpTopics: readonly string[] = Object.keys(topics);

export function renderTopic(topic: string | undefined, width: number): string | null {
  return topic !== undefined && Object.hasOwn(topics, topic) ? (topics[topic]?.(width) ?? null) : null;
}

function listUsages({ name, argument, flags: names, usage }: CommandSpec): readonly string[] {
  if (usage !== undefined) return usage;
  return [[name, argument?.[0], names.length > 0 ? "[options]" : undefined].filter(Boolean).join(" ")];
}

function isCap(name: FlagName): boolean {
  return capFlagNames.some((cap) => cap === name);
}

/** A flag without a summary belongs to the line of the flag in front of it. */
function listFlagRows(names: readonly FlagName[]): Row[] {
  const rows: [string, string][] = [];
  for (const name of names) {
    const { usage, summary }: Flag = flags[name];
    const last = rows.at(-1);
    if (summary === undefined && last !== undefined) last[0] += `, ${usage}`;
    else rows.push([usage, summary ?? ""]);
  }
  return rows;
}

function groupFlags(
  names: readonly FlagName[],
): readonly (readonly [title: string, names: readonly FlagName[]])[] {
  if (names.length === 0) return [];
  if (listFlagRows(names).length <= MOST_UNGROUPED) return [["Options", names]];
  return flagGroups
    .map(([title, inGroup]) => [title, inGroup.filter((name) => names.includes(name))] as const)
    .filter(([, taken]) => taken.length > 0);
}

/** Groups of options in the help of commands that have many, in the order in which help prints them. */
export const flagGroups: readonly (readonly [title: string, names: readonly FlagName[]])[] = [
  [
    "Tasks",
    [
      ...(["prompt", "promptFile", "gate", "copy", "noCopy", "setup", "plan", "redo", "only"] as const),
      ...(["agent", "model", "withoutSubAgents", "dryRun", "dryRunCommands", "runCommands"] as const),
    ],
  ],
  [
    "Spec",
    [
      ...(["techSpecId", "techSpec", "prd", "specName", "tech", "fromFile", "into"] as const),
      ...(["yes", "goYes"] as const),
    ],
  ],
  ["Agent", ["architect", "architectModel", "goAgent", "goModel"]],
  ["Checks", ["parallelDir", "run", "integratedTech", "noChecks", "allowUnknown", "enforce"]],
  ["Fixes", ["fixParts", "fixPartsRounds", "fixPartsYes"]],
  ["Review", ["reviewAgent", "reviewModel", "reviewBudget", "reviewTimeout"]],
  [
    "Limits",
    [
      ...(["concurrency", "retries", "timeout", "budgetUsd", "resumeBudgetUsd", "failFast"] as const),
      ...(["rounds", "goBudget", "designBudget", "designTimeout"] as const),
    ],
  ],
  [
    "Landing",
    [
      ...(["land", "landAs", "as", "onto", "ontoNow", "sign", "signoff", "push", "noPush"] as const),
      ...(["pr", "noPr", "prPerTask", "draft", "reviewer", "label"] as const),
    ],
  ],
  ["Output", ["progress", "jsonEvents", "quiet", "ui", "detach", "graph", "json", "out"]],
  [
    "Environment",
    [
      ...(["allowRedBase", "recheck", "allowRoot", "allowNested"] as const),
      ...(["isolation", "keepAwake", "keepWorktrees", "sandbox"] as const),
      ...(["agree", "allowEnv", "format", "strict"] as const),
    ],
  ],
];
