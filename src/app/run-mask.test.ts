import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CommandAgent } from "../agents/command/config.ts";
import { runFolder } from "../engines/local/run-folder.ts";
import { runMask } from "./run-mask.ts";

test("whatever shows a run takes out what the environment, copied files and settings of agents keep secret (I13)", async () => {
  const workTree = await mkdtemp(join(tmpdir(), "plait-mask-"));
  onTestFinished(() => rm(workTree, { recursive: true }));
  const folder = runFolder(workTree);
  await writeFile(join(workTree, ".env"), 'STRIPE_KEY="of-a-copied-file-77"\nMODE=test\n');
  await writeFile(folder.copies, '[".env"]');
  const host = {
    ...{ cwd: "/", version: "1", command: "", allowRoot: false, allowNested: false },
    env: { API_TOKEN: "of-the-environment-77" },
    agents: [{ env: { LLM_TOKEN: "of-an-agent-77" } } as unknown as CommandAgent],
  };
  const mask = await runMask(host, { repository: { workTree }, folder });
  const shown = mask("+of-a-copied-file-77 of-the-environment-77 of-an-agent-77 test");
  expect(shown).not.toContain("77");
  expect(shown).toMatch(/ test$/);
});
