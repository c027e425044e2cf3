import { join } from "node:path";
import { describeReal, pinnedPackages, realProgram } from "./real-program.ts";

/** The real Claude. Of the builds for different C libraries npm installs the one that fits. */
export const claudeProgram = realProgram(
  "claude",
  ["", "-musl"].map((library) => {
    const build = `claude-code-${process.platform}-${process.arch}${library}`;
    return join(pinnedPackages("claude"), "@anthropic-ai", build, "claude");
  }),
);

export function describeClaude(name: string, tests: () => void): void {
  describeReal([claudeProgram], name, tests);
}
