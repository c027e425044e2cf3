import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeReal, pinnedPackages, realProgram } from "./real-program.ts";

/** The real Codex: the program itself, without the script that npm would start it by. */
export const codexProgram = realProgram("codex", pinned());

export function describeCodex(name: string, tests: () => void): void {
  describeReal([codexProgram], name, tests);
}

function pinned(): string[] {
  const build = `codex-${process.platform}-${process.arch}`;
  const vendor = join(pinnedPackages("codex"), "@openai", build, "vendor");
  if (!existsSync(vendor)) return [];
  return readdirSync(vendor).map((target) => join(vendor, target, "bin/codex"));
}
