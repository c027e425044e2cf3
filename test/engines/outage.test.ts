// A line that breaks and a login that expires in the middle of a run: nothing is spent, one message, and it goes on by itself.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { canReach, wayTo } from "../../src/engines/local/reach.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import { drive, factsOf, place, start } from "./local.ts";

const servers = new Set<Server>();
afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(port = 0): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
  servers.add(server);
  await once(server, "listening");
  const close = async () => {
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** A minute of waiting is over in half a second; the limits of the attempts below are hours. */
const SPEED = 120;
const EPOCH = systemClock.now();
const fast: Clock = {
  now: () => EPOCH + (systemClock.now() - EPOCH) * SPEED,
  monotonic: () => systemClock.monotonic() * SPEED,
  setTimer: (ms, fire) => systemClock.setTimer(ms / SPEED, fire),
};
const fixtures = fileURLToPath(new URL("../../src/agents/claude/fixtures", import.meta.url));

/** As Claude speaks: `line` and `login` are files that a test takes away and puts back. */
const CLAUDE = `#!/bin/sh
case "$1 $2" in
"--version "*) echo "2.1.325 (Claude Code)"; exit ;;
"auth status") [ -e "$HOME/login" ] && echo '{ "loggedIn": true }' || { echo '{ "loggedIn": false }'; exit 1; }; exit ;;
esac
cat > /dev/null
[ -e "$HOME/line" ] || { cat ${fixtures}/network.ndjson; exit 1; }
if [ "$PLAIT_TASK" = second ] && [ ! -e "$HOME/expired" ]; then rm "$HOME/login"; : > "$HOME/expired"; fi
[ -e "$HOME/login" ] || { cat ${fixtures}/auth-401.ndjson; exit 1; }
echo work > "$PLAIT_TASK.txt"
cat ${fixtures}/success.ndjson
`;

test("a lost network and an expired login cost no retry, and the run goes on within a minute of their end", async () => {
  const made = place();
  const bin = join(made.root, "bin");
  const home = join(made.root, "home");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), CLAUDE);
  chmodSync(join(bin, "claude"), 0o755);
  writeFileSync(join(home, "login"), "");
  const port = randomInt(20_000, 30_000); // not one that the system gives away to others meanwhile
  const { PATH } = made.host.env;
  const env = {
    ...made.host.env,
    PATH: `${bin}:${PATH}`,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  };
  const run = await start(
    { ...made, host: { ...made.host, env, clock: fast } },
    `notify: { command: 'echo "$PLAIT_NOTIFY_TEXT" >> "${made.root}/told"' }
defaults: { retries: 0, timeout: 7d, idle-timeout: 6d, start-timeout: 5d }
tasks:
  - { id: first, prompt: one }
  - { id: second, needs: [first], prompt: two }`,
    { agent: "claude" },
  );
  // Three looks in vain, then somebody mends it: first the line, later the login.
  const looks = { line: 0, login: 0 };
  run.view.subscribe({
    fact: (fact) => {
      if (fact.type !== "account.probed" || fact.ok) return;
      const broken = existsSync(join(home, "expired")) ? "login" : "line";
      looks[broken] += 1;
      if (looks[broken] !== 3) return;
      writeFileSync(join(home, broken), "");
      if (broken === "line") void listen(port);
    },
  });
  const ran = await drive(run);
  expect(ran.outcome).toBe("complete");
  const ends = factsOf(ran, "attempt.ended").map(({ attempt, failure }) => [
    attempt,
    failure?.reason ?? "well",
  ]);
  expect(ends).toEqual([
    ["first/1", "network"],
    ["first/2", "well"],
    ["second/1", "auth"],
    ["second/2", "well"],
  ]);
  expect(Math.min(looks.line, looks.login)).toBeGreaterThanOrEqual(3);
  expect(ran.state.accounts).toBeNull();
  // A network comes back by itself; a login does not.
  expect(readFileSync(join(made.root, "told"), "utf8")).toBe(
    `${ran.state.run} needs you: claude is not logged in: 1 task paused\n`,
  );
});

describe("whether a server can be reached", () => {
  test("it is connected to; any of several will do, and nobody to ask is no answer", async () => {
    const open = await listen();
    const shut = await listen();
    await shut.close();
    const [yes, no] = [`https://127.0.0.1:${open.port}`, `https://127.0.0.1:${shut.port}`];
    expect(await canReach([yes], {}, systemClock)).toBe(true);
    expect(await canReach([no], {}, systemClock)).toBe(false);
    expect(await canReach([no, yes], {}, systemClock)).toBe(true);
    expect(await canReach([], {}, systemClock)).toBe(null);
    expect(await canReach(["https://plait.invalid"], {}, systemClock)).toBe(false);
  });

  test.each([
    ["https://api.example.com", {}, "api.example.com", 443],
    ["http://api.example.com:8080/v1", {}, "api.example.com", 8080],
    ["https://api.example.com", { HTTPS_PROXY: "http://proxy:3128" }, "proxy", 3128],
    ["https://api.example.com", { https_proxy: "proxy:3128" }, "proxy", 3128],
    ["https://api.example.com", { HTTP_PROXY: "http://proxy:3128" }, "api.example.com", 443],
    ["https://api.example.com", { ALL_PROXY: "socks5://proxy" }, "proxy", 1080],
    [
      "https://api.example.com",
      { HTTPS_PROXY: "http://p", NO_PROXY: "x.org, .example.com" },
      "api.example.com",
      443,
    ],
    ["http://127.0.0.1:9999", { HTTP_PROXY: "http://proxy:3128" }, "127.0.0.1", 9999],
  ])("the way to %s with %j", (server, env, host, port) => {
    expect(wayTo(new URL(server), env as never)).toEqual({ host, port });
  });
});
