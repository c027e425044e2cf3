import type { PlanDraft, TaskSettingsDraft } from "../draft.ts";
import type { AgentChoice, Command } from "../plan.ts";
import type { Located, SourceRange } from "../source.ts";
import type { Say } from "./findings.ts";
import { quoted } from "./words.ts";

/** What reaches a command line. `subject` is who says it, as the beginning of a sentence. */
export type Speaker = { readonly subject: string; readonly at: SourceRange; readonly say: Say };

export function checkCommand(command: Command, { subject, at, say }: Speaker): void {
  const parts = command.kind === "shell" ? [command.line] : command.argv;
  const hint = "write the program to run";
  if ((parts[0] ?? "").trim() === "") {
    say("bad-command", { message: `${subject} has a command without a program`, at, hint });
  } else if (parts.some((part) => part.includes("\0"))) {
    say("bad-command", { message: `${subject} has a command with a NUL character`, at });
  }
}

export function checkHooks(hooks: PlanDraft["hooks"], say: Say): void {
  for (const [name, commands] of Object.entries(hooks)) {
    for (const { value, at } of commands)
      checkCommand(value, { subject: `the hook ${quoted(name)}`, at, say });
  }
}

export function checkAgent(agent: Located<Partial<AgentChoice>> | null, subject: string, say: Say): void {
  if (agent === null) return;
  const { use = null, name = null, model = null } = agent.value;
  const kinds = [
    ["agent", use],
    ["sub-agent", name],
    ["model", model],
  ] as const;
  for (const [kind, text] of kinds) {
    const problem = text === null ? null : argumentProblem(text);
    if (text === null || problem === null) continue;
    const message = `${subject} names the ${kind} ${quoted(text)}, which ${problem}`;
    say("bad-agent", { message, at: agent.at, hint: "write the name alone" });
  }
}

export function checkTools(tools: TaskSettingsDraft["tools"], subject: string, say: Say): void {
  for (const { value: rule, at } of [...(tools?.allow ?? []), ...(tools?.deny ?? [])]) {
    const problem = argumentProblem(rule);
    if (problem === null) continue;
    const message = `${subject} has the tool rule ${quoted(rule)}, which ${problem}`;
    say("bad-tool", { message, at, hint: "write the tool as the agent program names it" });
  }
}

/** Why a text must not become an argument of its own, as the end of a sentence. */
export function argumentProblem(text: string): string | null {
  if (text.trim() === "") return "is empty";
  if (text.startsWith("-")) return "would be taken for an option";
  if (text !== text.trim()) return "begins or ends with a blank";
  return Array.from(text).some((c) => c < " " || c === "\u007f") ? "contains a control character" : null;
}
