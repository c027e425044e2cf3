import { type MissingSubAgent, missingText, type SubAgentChoice } from "../app/index.ts";
import { shellWord } from "../core/text/command.ts";
import { canConfirm, confirm } from "./confirm.ts";
import type { Request } from "./request.ts";

/**
 * Sub-agents that are not installed: a person at a terminal is asked, everybody else gets the commands that decide.
 * `takesAgent`: whether this command line has `--agent`. `words` follow the name of the program, as typed.
 */
export function subAgentChoice(
  { options }: Pick<Request, "options">,
  { takesAgent = true, words = process.argv.slice(2) as readonly string[] } = {},
): SubAgentChoice {
  const isAsked = canConfirm() && options.json !== true;
  return {
    mayReplace: async (missing) => isAsked && (await confirm(questionText(missing))) === true,
    help: (missing) => {
      const agent = missing[0]?.agent.name ?? "claude";
      const plain = missing[0]?.agent.title ?? "Claude Code";
      const all = takesAgent
        ? command(words, "--agent", agent)
        : `PLAIT_AGENT=${shellWord(agent)} ${command(words)}`;
      return [
        ...[`run those tasks with plain ${plain}:`, `  ${command(words, "--without-sub-agents")}`],
        ...[`run every task with plain ${plain}:`, `  ${all}`],
      ];
    },
  };
}

function questionText(missing: readonly MissingSubAgent[]): string {
  const titles = [...new Set(missing.map(({ agent }) => agent.title))].join(" and ");
  return `${missingText(missing)}. Run those tasks with plain ${titles}?`;
}

/** As it was typed, with these flags besides; behind `--` they would be none. */
function command(words: readonly string[], ...flags: readonly string[]): string {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const all = [...words.slice(0, end), ...flags, ...words.slice(end)];
  return ["plait", ...all.map((word) => shellWord(word))].join(" ");
}
