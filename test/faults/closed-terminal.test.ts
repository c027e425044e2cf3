// The terminal is gone: a run in the background does not notice, and one in the foreground can be gone on with.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../cli/plait.ts";
import { textAt } from "./observe.ts";
import {
  journal,
  makeRepo,
  orphans,
  type Place,
  plait,
  runId,
  startPlait,
  until,
  writePlan,
} from "./support.ts";

/** A task that waits for a file. */
const waits = (outside: string) => [
  `run touch ${outside}/begun`,
  `run while [ ! -e ${outside}/go ]; do sleep 0.05; done`,
  "write a.txt done",
];

/** A stand-in for the programs that keep a machine awake: it says what it was asked, and stays. */
function withInhibitor({ root, env, outside }: Place): Place["env"] {
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const name of ["systemd-inhibit", "caffeinate"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" > ${outside}/awake\nexec sleep 600\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const { PATH } = env;
  return { ...env, PATH: `${bin}:${PATH}` };
}

test.concurrent("I1 I5: a detached run outlives its shell and its session, is seen by attach, and lands", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [{ id: "a", does: waits(place.outside) }]);
  const env = withInhibitor(place);
  const line = `"$0" "$1" run --agent demo --detach --keep-awake "$2"; touch "${place.outside}/detached"; exec sleep 600`;
  const shell = spawn("sh", ["-c", line, process.execPath, main, plan], {
    cwd: place.repo,
    env,
    detached: true,
    stdio: "ignore",
  });
  await until(() => existsSync(join(place.outside, "detached")) && existsSync(join(place.outside, "begun")));
  expect(readFileSync(join(place.outside, "awake"), "utf8")).toContain("--what=sleep:idle --who=plait");
  // As sshd and terminals do it.
  const group = -(shell.pid ?? Number.NaN);
  process.kill(group, "SIGHUP");
  if (shell.exitCode === null && shell.signalCode === null)
    await new Promise((resolve) => shell.once("exit", resolve));

  const left = startPlait(place, ["attach", "--json"]);
  await left.seen(({ type }) => type === "attempt.spawned");
  left.signal("SIGINT");
  const said = await left.end;
  expect(said.code).toBe(0);
  expect(said.stderr).toMatch(/continues[\s\S]*plait stop/);

  const stays = startPlait(place, ["attach", "--json"]);
  await stays.seen(({ type }) => type === "attempt.spawned");
  writeFileSync(join(place.outside, "go"), "");
  expect(await stays.end).toMatchObject({ code: 0 });
  expect(journal(place).at(-1)).toMatchObject({ type: "run.ended", outcome: "complete" });
  expect(textAt(place, "main", "a.txt")).toBe("done");
  await until(() => orphans(place).length === 0);
});

test.concurrent("I2 I4: a hang-up in the foreground says how to go on, tells by notify, and resume lands it", async () => {
  const place = makeRepo();
  const told = join(place.outside, "told");
  const plan = writePlan(place, [{ id: "a", does: waits(place.outside) }], {
    notify: { command: `echo "$PLAIT_NOTIFY_TEXT" >> ${told}` },
  });
  const started = startPlait(place, ["run", "--agent", "demo", plan]);
  await until(() => existsSync(join(place.outside, "begun")));
  started.signal("SIGHUP");
  const { code, stdout } = await started.end;
  expect(code).toBe(129);
  const run = runId(place);
  expect(stdout).toContain(`plait resume ${run}`);
  const message = `${run} needs you: stopped by SIGHUP, not landed, 0 of 1 done, 1 left\n`;
  expect(readFileSync(told, "utf8")).toBe(message);
  writeFileSync(join(place.outside, "go"), "");
  expect(await plait(place, ["resume"])).toMatchObject({ code: 0 });
  expect(readFileSync(told, "utf8")).toBe(message);
  expect(textAt(place, "main", "a.txt")).toBe("done");
});
