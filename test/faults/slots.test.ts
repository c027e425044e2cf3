// What a worktree has for itself, when plait is killed or the ports are somebody else's.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { portsOfTests } from "../engines/local.ts";
import { expectNothingLeft, refs, usersThings } from "./observe.ts";
import { makeRepo, orphans, plait, runIds, startPlait, startRun, until, writePlan } from "./support.ts";

test.concurrent("I4 I8: killed, the next driver clears up with the same number, ports and names", async () => {
  const place = makeRepo();
  const note = (who: string) =>
    `echo "${who} $PLAIT_SLOT $PLAIT_PORTS $PLAIT_DB $COMPOSE_PROJECT_NAME" >> ${place.outside}/seen.txt`;
  const task = { id: "a", does: [`run ${note("agent")}`, "on attempt 1: hang", "write a.txt x"] };
  const plan = writePlan(place, [task], {
    setup: note("setup"),
    teardown: note("teardown"),
    defaults: { retries: 1 },
  });
  const started = startRun(place, plan);
  const seen = () => readFileSync(join(place.outside, "seen.txt"), "utf8").trim().split("\n");
  await started.seen(({ type }) => type === "attempt.spawned");
  await until(() => seen().length === 2);
  started.signal("SIGKILL");
  await started.end;
  await until(() => orphans(place).length === 0);
  expect(readdirSync(join(place.root, "state/plait/ports"))).toHaveLength(1); // it died with its holder
  const { code, stderr } = await startPlait(place, ["resume", "--json"]).end;
  expect(code, stderr).toBe(0);
  const [setup = "", agent, teardown, ...next] = seen();
  const values = setup.replace("setup ", "");
  expect([agent, teardown]).toEqual([`agent ${values}`, `teardown ${values}`]);
  expect(next).toHaveLength(3);
  expectNothingLeft(place, { refs: [/\/a\/1$/] });
});

test.concurrent("ports that another program listens on are refused before anything is made", async () => {
  const place = makeRepo();
  const ports = portsOfTests(4);
  const busy = ports.from + 4;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(busy, resolve));
  const before = usersThings(place);
  const plan = writePlan(place, [{ id: "a", does: ["write a.txt x"] }], { ports, concurrency: 1 });
  const { code, stderr } = await plait(place, ["run", "--agent", "demo", plan]);
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(3);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    `ports ${ports.from}-${ports.to} are enough for 3 worktrees with 3 ports each; up to 4 are needed: port ${busy} is in use`,
  );
  expect(stderr).toContain("ss -ltnp");
  expect(runIds(place)).toEqual([]);
  expect(Object.keys(refs(place, "refs/plait"))).toEqual([]);
  expect(usersThings(place)).toEqual(before);
  expectNothingLeft(place);
});
