import type { PlanDraft, TaskSettingsDraft } from "../draft.ts";
import type { AgentChoice, Command } from "../plan.ts";
import type { Located, SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import { quoted } from "../text/figures.ts";
import type { ReportFinding } from "./findings.ts";

/** What reaches a command line. `subject` is who says it, as the beginning of a sentence. */
export type Speaker = { readonly subject: string; readonly at: SourceRange; readonly report: ReportFinding };

export function checkCommand(command: Command, { subject, at, report }: Speaker): void {
  const parts = command.kind === "shell" ? [command.line] : command.argv;
  const isEmpty = (parts[0] ?? "").trim() === "";
  if (!isEmpty && !parts.some((part) => part.includes("\0"))) return;
  report("bad-command", { subject, problem: isEmpty ? "empty" : "nul" }, at);
}

export function checkHooks(hooks: PlanDraft["hooks"], report: ReportFinding): void {
  for (const [name, commands] of Object.entries(hooks)) {
    for (const { value, at } of commands)
      checkCommand(value, { subject: `the hook ${quoted(name)}`, at, report });
  }
}

export function checkAgent(
  agent: Located<Partial<AgentChoice>> | null,
  subject: string,
  report: ReportFinding,
): void {
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
    report("bad-agent", { subject, kind, value: text, problem }, agent.at);
  }
}

export function checkTools(tools: TaskSettingsDraft["tools"], subject: string, report: ReportFinding): void {
  for (const { value: rule, at } of [...(tools?.allow ?? []), ...(tools?.deny ?? [])]) {
    const problem = argumentProblem(rule);
    if (problem !== null) report("bad-tool", { subject, value: rule, problem }, at);
  }
}

/** Why a text must not become an argument of its own, as the end of a sentence. */
function argumentProblem(text: string): string | null {
  if (text.trim() === "") return "is empty";
  if (text.startsWith("-")) return "looks like an option";
  if (text !== text.trim()) return "begins or ends with a space";
  return Array.from(text).some((c) => c < " " || c === "\u007f") ? "contains a control character" : null;
}

/** Known agent programs. Another name may be right, so it is only a warning. */
const wellKnownAgents = [
  ...["claude", "codex", "gemini", "opencode", "qwen", "copilot", "cursor", "aider", "amp", "goose"],
  ...["demo", "command"],
];

const MOST_PLACES = 50;

/** One finding a name, with all places that use it. */
export function warnOfUnknownAgents(
  { defaults, tasks }: PlanDraft,
  configured: readonly string[],
  report: ReportFinding,
): void {
  const known = [...configured, ...wellKnownAgents];
  const users = tasks.flatMap(({ work, settings }) => (work.kind === "agent" ? [settings.agent] : []));
  const places = new Map<string, SourceRange[]>();
  for (const agent of [defaults.agent, ...users]) {
    const name = agent?.value.use;
    if (!agent || name === undefined || known.includes(name) || argumentProblem(name) !== null) continue;
    places.set(name, [...(places.get(name) ?? []).slice(0, MOST_PLACES), agent.at]);
  }
  for (const [name, [first, ...others]] of places) {
    if (first === undefined) continue;
    const suggestion = nearest(name, known);
    const related = others.map((at) => ({ at, agent: name }));
    report("unknown-agent", { agent: name, suggestion, known }, first, { related });
  }
}

/** Why a path would lead out of the folder that it is relative to, as the end of a sentence; null where it does not. */
export function escapeProblem(path: string): string | null {
  if (path.trim() === "") return "is empty";
  if (Array.from(path).some((c) => c < " " || c === "\u007f")) return "contains a control character";
  if (path.includes("\\")) return "contains a backslash";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is an absolute path";
  if (path === "~" || path.startsWith("~/")) return "is in a home folder";
  // Braces and commas too, since a copy list may hold globs.
  return path.split(/[/{},]/).includes("..") ? 'contains ".."' : null;
}
