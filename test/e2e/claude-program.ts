import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, test } from "vitest";

const { PATH = "", PLAIT_REQUIRE = "", PLAIT_TEST_CLAUDE = "" } = process.env;
const HINT = "to install Claude for the tests: node scripts/agents.mjs";

/** The real Claude: the one that PLAIT_TEST_CLAUDE names, the pinned one, or one on PATH. Null where there is none. */
export const claudeProgram: string | null = find();

/** Tests that drive it: skipped where it is missing, unless PLAIT_REQUIRE asks for it, as CI does. */
export function describeClaude(name: string, tests: () => void): void {
  if (claudeProgram !== null) {
    describe.concurrent(name, { timeout: 60_000 }, tests);
  } else if (PLAIT_REQUIRE.split(",").includes("claude")) {
    test(name, () => Promise.reject(new Error(`there is no claude; ${HINT}`)));
  } else {
    test.skip(`${name} (${HINT})`); // one line for all of them
  }
}

function find(): string | null {
  if (PLAIT_TEST_CLAUDE !== "") return PLAIT_TEST_CLAUDE;
  const onPath = PATH.split(delimiter).map((folder) => join(folder, "claude"));
  return [...pinned(), ...onPath].find(existsSync) ?? null;
}

/** Of the builds for different C libraries npm installs the one that fits. */
function pinned(): string[] {
  const { platform, arch } = process;
  const packages = fileURLToPath(
    new URL("../../.agents/claude/node_modules/@anthropic-ai/", import.meta.url),
  );
  return ["", "-musl"].map((library) =>
    join(packages, `claude-code-${platform}-${arch}${library}`, "claude"),
  );
}
