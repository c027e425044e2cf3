import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driveDetached } from "../../src/app/detach-run.ts";
import { place, runPlan } from "../engines/local.ts";
import { main } from "./plait.ts";

test("a background process that cannot start leaves its error to the one that started it", async () => {
  const at = place();
  const { folder, facts, state } = await runPlan(
    at,
    'tasks:\n  - { id: a, prompt: "demo: exit 1", retries: 0 }\n',
  );
  const { run } = state;
  const begin = (...args: readonly string[]) =>
    driveDetached(at.host, { run, folder, argv: args, since: facts.length });
  const plait = (...words: readonly string[]) => begin(process.execPath, main, ...words);

  expect(await plait("resume", run, "--cwd", "nowhere")).toMatchObject({
    ok: false,
    refusal: { message: expect.stringMatching(`^cannot start ${run}: .*nowhere`) },
  });
  expect(existsSync(join(folder, "driver-failure.json"))).toBe(true);
  expect(await begin("sh", "-c", "exit 4")).toMatchObject({
    refusal: {
      message: `cannot start ${run}: it exited with code 4`,
      hint: `read the log: ${join(folder, "driver.log")}`,
    },
  });
  expect(await begin("sh", "-c", "kill -9 $$")).toMatchObject({
    refusal: { message: `cannot start ${run}: it was killed by a signal` },
  });
});
