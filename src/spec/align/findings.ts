import type { CodeEntry } from "../../core/catalog.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { quoted } from "../../core/text/figures.ts";
import type { FormatCode } from "../../formats/catalog.ts";
import type { Wanted, WantedPart } from "./wanted.ts";

/** At the last of those who cannot have it together; the others are the places that belong to it. */
export function conflict(parts: readonly WantedPart[], message: string, hint: string): Diagnostic {
  return about("dependency-conflict", parts, { message, hint });
}

export function missing({ parts }: Pick<Wanted, "parts">, message: string, hint: string): Diagnostic {
  return about("dependency-missing", parts, { message, hint });
}

/** Who wants what, and why it is not to be had. */
export function rangesConflict(parts: readonly WantedPart[], problem: string, hint: string): Diagnostic {
  const name = parts[0]?.spec.name ?? "";
  const wishes = parts.map((part) => `${wisher(part)} wants ${quoted(part.wish.spec.value)}`);
  return conflict(parts, `${wishes.join(" and ")}: no version of ${name} ${problem}`, hint);
}

/** The range stays, and this says so: nothing else marks it, since what a manifest lists is installed as it stands there. */
export function unpinned({ parts }: Wanted, text: string, why: string): Diagnostic {
  return diagnostic({
    code: "dependency-unpinned" satisfies FormatCode,
    severity: "warning",
    message: `the dependency ${quoted(text)} is not pinned to one version: ${why}`,
    at: parts[0]?.wish.spec.at ?? null,
    hint: "align again where the tool works, or write a version",
  });
}

export function downgrade(wanted: Wanted, { to, from }: { to: string; from: string }): Diagnostic {
  const [first] = wanted.parts;
  const name = first?.spec.name ?? "";
  return diagnostic({
    code: "dependency-downgrade" satisfies AlignCode,
    severity: "warning",
    message: `${quoted(name)} would go back to ${to}, while ${from} is installed`,
    at: first?.wish.spec.at ?? null,
    hint: `ask for a range that ${from} satisfies, unless it is meant`,
  });
}

function wisher({ wish }: WantedPart): string {
  return wish.by ?? "the manifest";
}

function about(
  code: AlignCode,
  parts: readonly WantedPart[],
  words: { readonly message: string; readonly hint: string },
): Diagnostic {
  const last = parts.at(-1);
  const related = parts.slice(0, -1).map((part) => ({
    at: part.wish.spec.at,
    message: `${wisher(part)} wants ${quoted(part.wish.spec.value)}`,
  }));
  return diagnostic({ code, ...words, at: last?.wish.spec.at ?? null, related });
}

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
    title: "A pin downgrades a package of the project",
    explanation:
      "The installed version is newer than the range allows. The older version would be installed for the whole project, also for code that no task touches.",
  },
] as const satisfies readonly CodeEntry[];

type AlignCode = (typeof alignCodes)[number]["code"];
