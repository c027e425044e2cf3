import type { SubAgents } from "../adapter.ts";
import { parseObject, textAt, textsAt } from "../json.ts";

/**
 * Claude tells the agents it knows, from every source, in its first event. `/cost` it answers by itself, so nothing is sent to
 * a model, whoever serves it. Should a release not know the command, there is a server that nobody listens at: Claude cannot
 * connect, and ends without a token spent. The address goes by `--settings` too, which wins over an `env` key in the
 * settings of the user and of the project.
 */
const NOWHERE = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };

export const subAgents: SubAgents = {
  folder: ".claude",
  invocation: {
    argv: [
      "claude",
      "-p",
      ...["--output-format", "stream-json", "--verbose"],
      "--no-session-persistence", // else `claude --continue` would go on with this one
      ...["--settings", JSON.stringify({ env: NOWHERE })],
    ],
    env: { ...NOWHERE, CLAUDE_CODE_MAX_RETRIES: "0" },
    stdin: "/cost",
    notes: [],
  },
  parse: parseSubAgents,
};

/** It brings some along, so an empty list is one that it does not tell. */
function parseSubAgents(stdout: string): readonly string[] | null {
  for (const line of stdout.split("\n")) {
    const event = parseObject(line);
    if (textAt(event, "type") !== "system" || textAt(event, "subtype") !== "init") continue;
    const names = textsAt(event, "agents");
    return names.length === 0 ? null : names;
  }
  return null;
}
