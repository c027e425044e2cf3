// The last line that agents of parallel-orchestra print: an object that says how it went. Nothing in it is trusted: what has not
// the form that it should have is left out.

/** Null for what is not said, or not as it should be. */
export type AgentWords = {
  readonly status: string | null;
  readonly cycles: number | null;
  readonly report: string | null;
  readonly reason: string | null;
};

const NOTHING: AgentWords = { status: null, cycles: null, report: null, reason: null };
const MAX_LINE = 65_536;
const MAX_WORD = 300;

/** From the last line of a text that is not empty. */
export function agentWords(text: string): AgentWords {
  const line =
    text
      .slice(-MAX_LINE)
      .split("\n")
      .findLast((one) => one.trim() !== "") ?? "";
  const said = objectOf(line.trim());
  if (said === null) return NOTHING;
  return {
    status: word(said.status),
    cycles: typeof said.cycles === "number" && Number.isInteger(said.cycles) ? said.cycles : null,
    report: word(said.report)?.split(/[\\/]/).at(-1) || null,
    reason: word(said.reason),
  };
}

function objectOf(line: string): Partial<Record<keyof AgentWords, unknown>> | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as object;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** On one line, and without what could move a terminal's cursor. */
function word(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const clean = value.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return clean === "" ? null : clean.slice(0, MAX_WORD);
}
