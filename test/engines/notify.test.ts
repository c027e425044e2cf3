// Exactly one message when a person becomes needed, by every way at once, with real processes and a real web server.

import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { RunCommand } from "../../src/core/decide.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import { taskId } from "../support/plans.ts";
import { drive, type Place, place, resume, runPlan } from "./local.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** What comes together is gathered for a second, which a busy machine may be too slow for: here until the run ends. */
const GATHER_MS = 1_000;
const patient: Clock = {
  ...systemClock,
  setTimer: (ms, fire) => systemClock.setTimer(ms === GATHER_MS ? 3_600_000 : ms, fire),
};

type Watched = {
  readonly at: Place;
  readonly url: string;
  readonly posted: {
    readonly text: string;
    readonly needs: string[];
    readonly next: { command: string }[];
  }[];
  readonly rung: string[];
  /** What the command and the desktop were told, one line each. */
  readonly lines: (name: "command" | "desktop") => string[];
};

const SECRET = "secret-of-the-webhook-1234567890";

async function watched(): Promise<Watched> {
  const posted: Watched["posted"] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      posted.push(JSON.parse(text));
      response.writeHead(204).end();
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const rung: string[] = [];
  const made = place();
  const bin = join(made.root, "bin");
  mkdirSync(bin);
  for (const name of ["notify-send", "osascript"]) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nfor last; do :; done; echo "$last" >> "${made.root}/desktop"\n`,
    );
    chmodSync(join(bin, name), 0o755);
  }
  const { PATH } = made.host.env;
  const env = { ...made.host.env, PATH: `${bin}:${PATH}` };
  const at = {
    ...made,
    host: { ...made.host, env, clock: patient, terminal: (text: string) => void rung.push(text) },
  };
  const { port } = server.address() as AddressInfo;
  const lines = (name: string) => {
    const file = join(made.root, name);
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  };
  return { at, url: `http://127.0.0.1:${port}/${SECRET}`, posted, rung, lines };
}

/** The command is still there when the desktop has been told: the end of one way is not that of another. */
const notifyOf = ({ at, url }: Watched, more = "") => `
notify:
  bell: true
  desktop: true
  command: sleep 0.3; echo "$PLAIT_HOOK_RUN $PLAIT_NOTIFY_TEXT" >> "${at.root}/command"
  webhook: ${url}
${more}`;

const approvals = (n: number) =>
  Array.from({ length: n }, (_, i) => `  - { id: t${i}, approve: true, prompt: "demo: write ${i}.txt x" }`);

test.concurrent("I13: two tasks that wait and the end of the run are one message by every way; a resume repeats it not", async () => {
  const seen = await watched();
  const held = await runPlan(seen.at, `${notifyOf(seen)}tasks:\n${approvals(2).join("\n")}`);
  expect(held.outcome).toBe("held");
  const [first] = seen.posted;
  expect(first?.text).toMatch(/^test-\w+ needs you: .*t0 needs you: .*t1 needs you: /);
  expect(first?.next.map(({ command }) => command)).toEqual(
    expect.arrayContaining(
      ["t0", "t1"].map((task) => `plait approve ${task} --run ${first?.text.split(" ")[0]}`),
    ),
  );
  const once = () => {
    expect(seen.posted).toHaveLength(1);
    expect(seen.rung).toEqual(["\u0007"]);
    expect(seen.lines("desktop")).toEqual([first?.text]);
    expect(seen.lines("command")).toEqual([`${held.state.run} ${first?.text}`]);
  };
  once();

  const again = await drive(await resume(seen.at, held));
  expect(again.outcome).toBe("held");
  once();

  // One is seen to, the other still stands: who came has seen it.
  const approve = (...tasks: string[]): RunCommand[] =>
    tasks.map((task) => ({ kind: "approve", task: taskId(task) }));
  const half = await drive(await resume(seen.at, again, approve("t0")));
  expect(half.outcome).toBe("held");
  once();
  const all = await drive(await resume(seen.at, half, approve("t1")));
  expect(all.outcome).toBe("complete");
  once();

  const journal = readFileSync(join(all.folder, "journal.ndjson"), "utf8");
  const log = readFileSync(join(all.folder, "hooks.log"), "utf8");
  expect(journal + log).not.toContain(SECRET);
  expect(log).toContain("notify webhook: answered 204 (127.0.0.1)");
});

test.concurrent("a run that fails tells so once; one that is complete only if it is asked to", async () => {
  const seen = await watched();
  const fails = `tasks:\n  - { id: a, retries: 0, prompt: "demo: fail agent-said-no" }`;
  const failed = await runPlan(seen.at, notifyOf(seen) + fails);
  expect(failed.outcome).toBe("incomplete");
  expect(seen.posted.map(({ text }) => text)).toEqual([
    `${failed.state.run} needs you: not landed, 0 of 1 done, 1 failed; failed: a`,
  ]);
  const works = 'tasks:\n  - { id: a, prompt: "demo: write a.txt x" }';
  expect((await runPlan(seen.at, notifyOf(seen) + works)).outcome).toBe("complete");
  expect(seen.posted).toHaveLength(1);
  await runPlan(seen.at, notifyOf(seen, "  when: end\n") + works.replace("x", "y"));
  expect(seen.posted.slice(1).map(({ text, needs }) => [text, needs])).toEqual([
    [expect.stringMatching(/^test-\w+ landed on main as [0-9a-f]{7}, 1 of 1 done$/), []],
  ]);
});

test.concurrent("a message that cannot be delivered changes nothing", async () => {
  const made = place();
  const { PATH = "" } = made.host.env;
  const rung: string[] = [];
  const at = { ...made, host: { ...made.host, terminal: (text: string) => void rung.push(text) } };
  const { outcome, folder } = await runPlan(
    {
      ...at,
      host: { ...at.host, env: { ...at.host.env, PATH, DBUS_SESSION_BUS_ADDRESS: "unix:path=/none" } },
    },
    `notify: { desktop: true, command: "exit 7", webhook: "https://169.254.169.254/" }\ntasks:\n${approvals(1)[0]}`,
  );
  expect(outcome).toBe("held");
  const log = readFileSync(join(folder, "hooks.log"), "utf8");
  expect(log).toMatch(/notify webhook: URLs of this machine or its network/);
  expect(log).toMatch(/notify: exit code 7/);
  // Where no program shows it, the terminal is asked.
  expect(rung[0]).toBe("\u0007");
  expect(rung[1]?.split("\u001b]9;")).toEqual([
    "",
    expect.stringMatching(/^test-\w+ needs you: .*t0 needs you: [^\p{Cc}]*\p{Cc}$/u),
  ]);
});
