// What it costs to show a run: 64 agents at work, each doing something else ten times a second, on a large terminal. Whoever watches
// must not slow down what is watched.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { root } from "../../scripts/tools.mjs";

export const name = "terminal";

const GOAL = 2;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "plait-bench-terminal-"));
  try {
    await build({
      ...{ root, configFile: false, logLevel: "error", publicDir: false },
      ssr: { noExternal: true },
      build: { ssr: "test/bench/programs/terminal.ts", outDir: folder, target: "node20" },
    });
    const printed = execFileSync(process.execPath, [join(folder, "terminal.js"), quick ? "3" : "10"], {
      encoding: "utf8",
    });
    const { cpuMs, wallMs, frames } = JSON.parse(printed);
    const share = (cpuMs / wallMs) * 100;
    if (frames === 0) throw new Error("nothing was drawn");
    return [
      {
        measure: "one core, 64 agents at 10 actions a second, 200x80",
        value: `${share.toFixed(2)} %`,
        goal: `<= ${GOAL} %`,
        pass: share <= GOAL,
      },
      { measure: "frames a second", value: (frames / (wallMs / 1_000)).toFixed(1) },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
