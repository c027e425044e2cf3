import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { agentWork } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Task } from "../core/plan.ts";
import { runFolder } from "../engines/local/run-folder.ts";
import { failureEnds } from "./tails.ts";

const path = mkdtempSync(join(tmpdir(), "plait-tails-"));
afterAll(() => rmSync(path, { recursive: true, force: true }));

const LOG = '{"type":"started"}\nno such model\n{"type":"result","ok":false}\n';

async function lastOf(work: Task["work"]): Promise<string | undefined> {
  const folder = runFolder(path);
  const log = folder.log("a/1" as AttemptId);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, LOG);
  const run = new Scenario([{ id: "a", work, retries: 0 }]);
  run.start("a/1").end("a/1", { reason: "crash", detail: "exit code 3" }).save("a/1");
  const [end] = await failureEnds(folder, run.state, run.facts);
  return end?.printed;
}

test("last lines are for people: what an agent told plait is left out, what a command printed is not", async () => {
  expect(await lastOf(agentWork)).toBe("no such model\n");
  expect(await lastOf({ kind: "command", run: { kind: "shell", line: "sh" } })).toBe(LOG);
});
