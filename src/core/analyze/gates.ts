import type { GateDraft } from "../draft.ts";
import { commandLine } from "../each/source-text.ts";
import type { Gate } from "../plan.ts";
import type { SourceRange } from "../source.ts";
import { quoted } from "../text/figures.ts";
import { readPatterns } from "./claims.ts";
import { checkCommand, escapeProblem } from "./commands.ts";
import { checkEnv, envFrom } from "./environment.ts";
import type { ReportFinding } from "./findings.ts";
import { checkGateNumbers } from "./numbers.ts";
import { pathBelow } from "./settings.ts";

/** A gate and where it is written. */
export type PlacedGate = { readonly gate: Gate; readonly at: SourceRange };

export function readGates(
  drafts: readonly GateDraft[],
  timeoutMs: number,
  report: ReportFinding,
): PlacedGate[] {
  return drafts.map((draft) => ({ gate: readGate(draft, timeoutMs, report), at: draft.at }));
}

/** Names are compared within one list: what one task's reports show side by side. `known` is told elsewhere. */
export function warnOfSameNames(
  known: readonly PlacedGate[],
  added: readonly PlacedGate[],
  report: ReportFinding,
): void {
  const first = new Map<string, SourceRange>();
  for (const { gate, at } of known) if (!first.has(gate.name)) first.set(gate.name, at);
  for (const { gate, at } of added) {
    const before = first.get(gate.name);
    if (before === undefined) first.set(gate.name, at);
    else report("duplicate-gate-name", { gate: gate.name }, at, { related: [{ at: before }] });
  }
}

function readGate(draft: GateDraft, timeoutMs: number, report: ReportFinding): Gate {
  const name = draft.name ?? shortened(commandLine(draft.run));
  const subject = name === "" ? "a gate" : `the gate ${quoted(name)}`;
  const speaker = { subject, at: draft.at, report };
  checkCommand(draft.run, speaker);
  checkGateNumbers(draft, speaker);
  checkEnv(draft.env, subject, report);
  return {
    name,
    run: draft.run,
    dir: readDir(draft, subject, report),
    when: readPatterns(draft.when, `${subject} has the \`when\` path`, report).map(({ value }) => value),
    retries: draft.retries ?? 0,
    slots: draft.slots,
    timeoutMs: draft.timeoutMs ?? timeoutMs,
    env: envFrom(draft.env),
    knownRed: draft.knownRed ?? false,
    results:
      draft.results &&
      (readPatterns([draft.results], `${subject} has the results path`, report)[0]?.value ?? null),
  };
}

function readDir({ dir }: GateDraft, subject: string, report: ReportFinding): string | null {
  const problem = dir === null ? null : escapeProblem(dir.value);
  if (dir === null || problem === null) return pathBelow(dir);
  report("dir-escapes", { subject, key: "dir", value: dir.value, problem }, dir.at);
  return null;
}

const LONGEST_NAME = 60;

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}
