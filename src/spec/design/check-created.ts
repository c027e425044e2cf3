import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { quoted } from "../../core/analyze/words.ts";
import { symbolsMeet } from "../../core/ownership/claims.ts";
import { compile } from "../../core/ownership/compile.ts";
import { searchMeetings, workForAll } from "../../core/ownership/meetings.ts";
import { parseClaim } from "../../core/ownership/parse.ts";
import { type Claim, claimText } from "../../core/ownership/pattern.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import type { LocatedTask } from "./located.ts";

type Creation = { readonly task: LocatedTask; readonly claim: Claim; readonly at: SourceRange };

/**
 * A path is created by one task of all waves. For plain paths the analysis of plans says so; here it is said of globs and folders,
 * once for two tasks.
 */
export function checkCreated(tasks: readonly LocatedTask[]): Diagnostic[] {
  const creations = tasks.flatMap((task) =>
    task.create.flatMap(({ value, at }): Creation[] => {
      const parsed = parseClaim(value, "create");
      return parsed.ok ? [{ task, claim: parsed.claim, at }] : [];
    }),
  );
  const found = new Map<string, Diagnostic>();
  searchMeetings({
    patterns: creations.map(({ claim }) => claim.pattern),
    matters: (a, b) => mayMeet(creations[a] as Creation, creations[b] as Creation),
    visit: ({ a, b, overlap }) => {
      const [first, second] = [creations[a] as Creation, creations[b] as Creation];
      const key = `${first.task.id.value} ${second.task.id.value}`;
      if (overlap.kind === "overlap" && !found.has(key))
        found.set(key, twice(first, second, overlap.witness));
      return true;
    },
    work: workForAll(),
  });
  return [...found.values()];
}

function mayMeet(first: Creation, second: Creation): boolean {
  const areApart =
    first.task.wave.value !== second.task.wave.value && first.task.id.value !== second.task.id.value;
  return (
    areApart &&
    symbolsMeet(first.claim.symbol, second.claim.symbol) &&
    !haveCommonPath(first.claim, second.claim)
  );
}

function haveCommonPath(a: Claim, b: Claim): boolean {
  const paths = ({ pattern }: Claim) =>
    compile(pattern).flatMap((way) => (way.kind === "literal" ? [way.path] : []));
  const theirs = new Set(paths(b));
  return paths(a).some((path) => theirs.has(path));
}

function twice(first: Creation, second: Creation, witness: string): Diagnostic {
  const [one, other] = [quoted(first.task.id.value), quoted(second.task.id.value)];
  return diagnostic({
    code: "created-twice" satisfies AnalyzeCode,
    message: `${one} and ${other} both create ${quoted(witness)}`,
    at: second.at,
    hint: `narrow one of the two, or let ${other} modify it`,
    related: [{ at: first.at, message: `${one} creates ${quoted(claimText(first.claim))}` }],
  });
}
