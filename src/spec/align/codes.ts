import type { CodeEntry } from "../../core/catalog.ts";

/** Findings about packages that are to be pinned. */
export const alignCodes = [
  {
    code: "dependency-conflict",
    severity: "error",
    title: "Two wishes for one package cannot both be granted",
    explanation:
      "All tasks of a run start from one set of installed packages, so there is one version of each. The message names who wants what, the hint what is installed and which versions there are: relax one of the ranges, or let the tasks agree on one.",
    example: '"dependencies": { "node": ["zod@^3.22.0"] }',
  },
  {
    code: "dependency-missing",
    severity: "error",
    title: "There is no such package, or no such version",
    explanation:
      "The project's own tool was asked and knows no package of that name, or none of its versions is in the range. Names are easily mistyped or made up; for a private registry, check that you are logged in.",
  },
  {
    code: "dependency-downgrade",
    severity: "warning",
    title: "A pin takes the project back to an older version",
    explanation:
      "What is installed is newer than the range allows. The older version would be installed for the whole project, also for code that no task touches.",
  },
] as const satisfies readonly CodeEntry[];

export type AlignCode = (typeof alignCodes)[number]["code"];
