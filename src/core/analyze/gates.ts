import type { GateDraft } from "../draft.ts";
import type { PathPattern } from "../ownership/pattern.ts";
import type { Command, Gate } from "../plan.ts";
import type { Located, SourceRange } from "../source.ts";
import { readPatterns } from "./claims.ts";
import { checkCommand } from "./commands.ts";
import { checkEnv, envFrom } from "./environment.ts";
import type { Say } from "./findings.ts";
import { escapeProblem } from "./inside.ts";
import { checkGateNumbers } from "./numbers.ts";
import { quoted } from "./words.ts";

/** A gate and where it is written. */
export type PlacedGate = { readonly gate: Gate; readonly at: SourceRange };

export function readGates(drafts: readonly GateDraft[], timeoutMs: number, say: Say): PlacedGate[] {
  return drafts.map((draft) => ({ gate: readGate(draft, timeoutMs, say), at: draft.at }));
}

/** Names are compared within one list: what one task's reports show side by side. `known` is told elsewhere. */
export function warnOfSameNames(known: readonly PlacedGate[], added: readonly PlacedGate[], say: Say): void {
  const first = new Map<string, SourceRange>();
  for (const { gate, at } of known) if (!first.has(gate.name)) first.set(gate.name, at);
  for (const { gate, at } of added) {
    const before = first.get(gate.name);
    if (before === undefined) first.set(gate.name, at);
    else {
      const message = `two gates of one task are called ${quoted(gate.name)}`;
      const related = [{ at: before, message: "the first is here" }];
      say("duplicate-gate-name", {
        message,
        at,
        hint: "give one of them another name, or delete it",
        related,
      });
    }
  }
}

function readGate(draft: GateDraft, timeoutMs: number, say: Say): Gate {
  const name = draft.name ?? shortened(textOf(draft.run));
  const subject = name === "" ? "a gate" : `the gate ${quoted(name)}`;
  const speaker = { subject, at: draft.at, say };
  checkCommand(draft.run, speaker);
  checkGateNumbers(draft, speaker);
  checkEnv(draft.env, subject, say);
  return {
    name,
    run: draft.run,
    dir: readDir(draft, subject, say),
    when: readPatterns(draft.when, `${subject} looks for`, say).map(({ value }) => value),
    retries: draft.retries ?? 0,
    slots: draft.slots,
    timeoutMs: draft.timeoutMs ?? timeoutMs,
    env: envFrom(draft.env),
    knownRed: draft.knownRed ?? false,
    results: draft.results === null ? null : readResults(draft.results, subject, say),
  };
}

function readResults(results: Located<string>, subject: string, say: Say): PathPattern | null {
  return readPatterns([results], `${subject} reports in`, say)[0]?.value ?? null;
}

function readDir({ dir }: GateDraft, subject: string, say: Say): string | null {
  if (dir === null) return null;
  const problem = escapeProblem(dir.value);
  if (problem !== null) {
    const message = `${subject} runs in ${quoted(dir.value)}, which ${problem}`;
    say("dir-escapes", { message, at: dir.at, hint: "write a folder below the root of the tree" });
    return null;
  }
  const names = dir.value.split("/").filter((name) => name !== "" && name !== ".");
  return names.length === 0 ? null : names.join("/");
}

const LONGEST_NAME = 60;

function textOf(command: Command): string {
  return command.kind === "shell" ? command.line : command.argv.join(" ");
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}
