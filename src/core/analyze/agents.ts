import type { PlanDraft } from "../draft.ts";
import type { SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import { argumentProblem } from "./commands.ts";
import type { ReportFinding } from "./findings.ts";

/** Known agent programs. Another name may be right, so it is only a warning. */
const wellKnownAgents = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "qwen",
  "copilot",
  "cursor",
  "aider",
  "amp",
  "goose",
  "demo",
  "command",
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
