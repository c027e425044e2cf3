// A long text for a person at a terminal, in the pager that git would use.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configValue } from "../git/index.ts";
import { runInTerminal } from "../process/terminal.ts";
import type { Host } from "./host.ts";
import type { FoundRun } from "./runs.ts";

/** As git chooses it: GIT_PAGER, core.pager, PAGER, else less. Null where the user wants none. */
export function findPager({ env }: Pick<Host, "env">, { repository }: FoundRun): string | null {
  const named = env["GIT_PAGER"] ?? configValue(repository.config, "core.pager") ?? env["PAGER"] ?? "less";
  return named === "" || named === "cat" ? null : named;
}

/** False where it could not be started: then the text is still to be printed. */
export async function showInPager(
  { env, cwd }: Pick<Host, "env" | "cwd">,
  pager: string,
  text: string,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "plait-pager-"));
  const file = join(folder, "text");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // As git sets them: short texts are printed, colors stay, and the text is left on the screen.
    const usual = { LESS: "FRX", LV: "-c", ...env };
    const end = await runInTerminal({ argv: ["sh", "-c", `${pager} < "$1"`, "sh", file], cwd, env: usual });
    return end.ok && end.code !== 126 && end.code !== 127;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
