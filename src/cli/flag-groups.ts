import type { FlagName } from "./flags.ts";

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
      ...(["concurrency", "retries", "timeout", "budgetUsd", "failFast"] as const),
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
      ...(["allowRedBase", "recheck", "allowRoot", "allowNested", "keepAwake", "keepWorktrees"] as const),
      ...(["format", "strict"] as const),
    ],
  ],
];
