import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { type Holder, identify, judge, type Machine, parseStat, probe } from "../../src/journal/holder.ts";

const stat = (state: string, threads: number, ticks: number): string =>
  `42 (od) d) (x) ${state} 1 42 42 0 -1 4194304 99 0 0 0 0 0 0 0 20 0 ${threads} 0 ${ticks} 3133440 390`;

const holder: Holder = {
  nonce: "0".repeat(32),
  pid: 42,
  startTime: "ticks:777",
  bootId: "boot-a",
  pidNamespace: "pid:[1]",
  host: "here",
  at: "2026-01-01T00:00:00.000Z",
  command: "plait run",
};

const linux: Machine = {
  host: "here",
  bootId: "boot-a",
  pidNamespace: "pid:[1]",
  uptimeSeconds: 1000,
  exists: () => true,
  stat: async () => stat("S", 11, 777),
};

const macHolder: Holder = {
  ...omitNamespace(holder),
  startTime: "uptime:500",
  bootId: "boottime:1700000000",
};
const mac: Machine = { ...linux, bootId: "boottime:1700000020", pidNamespace: undefined, stat: undefined };

const rules: [string, string, Holder, Partial<Machine>][] = [
  ["the same process is alive", "alive", holder, linux],
  ["a stopped process is alive", "alive", holder, { ...linux, stat: async () => stat("T", 11, 777) }],
  [
    "another host cannot be known",
    "unknown",
    { ...holder, host: "there" },
    { ...linux, exists: () => false },
  ],
  ["another boot is dead, even if the pid lives", "dead", { ...holder, bootId: "boot-b" }, linux],
  [
    "another pid namespace cannot be known",
    "unknown",
    { ...holder, pidNamespace: "pid:[2]" },
    { ...linux, exists: () => false },
  ],
  [
    "a holder without a namespace cannot be known where there are some",
    "unknown",
    omitNamespace(holder),
    linux,
  ],
  ["no such pid is dead", "dead", holder, { ...linux, exists: () => false }],
  [
    "the same pid with another start time is dead",
    "dead",
    holder,
    { ...linux, stat: async () => stat("S", 11, 778) },
  ],
  ["a zombie is dead", "dead", holder, { ...linux, stat: async () => stat("Z", 1, 777) }],
  [
    "a zombie whose threads still run is alive",
    "alive",
    holder,
    { ...linux, stat: async () => stat("Z", 2, 777) },
  ],
  [
    "a process that is hidden from us cannot be known",
    "unknown",
    holder,
    { ...linux, stat: async () => undefined },
  ],
  ["without /proc a live pid of this boot is alive", "alive", macHolder, mac],
  ["without /proc no such pid is dead", "dead", macHolder, { ...mac, exists: () => false }],
  [
    "without /proc an uptime before its start is dead: restarted",
    "dead",
    macHolder,
    { ...mac, uptimeSeconds: 100, bootId: "boottime:1700009000" },
  ],
  [
    "without /proc a live pid of another boot time cannot be known: the clock may have been set",
    "unknown",
    macHolder,
    { ...mac, bootId: "boottime:1700009000" },
  ],
  ["with a /proc that is not ours the boot id decides", "alive", holder, { ...linux, stat: undefined }],
];

test.each(rules)("%s (I6)", async (_, verdict, who, machine) => {
  expect((await judge(who, { ...linux, ...machine })).kind).toBe(verdict);
});

test("a process that ends between two looks is dead, not hidden", async () => {
  let looks = 0;
  const machine: Machine = { ...linux, exists: () => ++looks === 1, stat: async () => undefined };
  expect((await judge(holder, machine)).kind).toBe("dead");
});

test("the state of a process is read after the last bracket of its name", () => {
  expect(parseStat(stat("R", 3, 5))).toEqual({ state: "R", threads: 3, startTime: "ticks:5" });
  expect(() => parseStat("nonsense")).toThrow("cannot read");
});

test("this very process knows itself to be alive, and its pid with another start time to be dead (I6)", async () => {
  const me = await identify("a".repeat(32), "test");
  expect(await probe(me)).toEqual({ kind: "alive" });
  if (process.platform === "linux") expect((await probe({ ...me, startTime: "ticks:1" })).kind).toBe("dead");
});

test.runIf(process.platform === "linux")("a real zombie is dead (I6)", async () => {
  // The shell starts a child and becomes a sleep that never waits for it: the child stays a zombie.
  const parent = spawn("sh", ["-c", "sh -c 'read x; exit 0' <&3 & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  try {
    const [line] = await once(parent.stdout as NodeJS.ReadableStream, "data");
    const pid = Number(String(line));
    const { readFile } = await import("node:fs/promises");
    const { startTime } = parseStat(await readFile(`/proc/${pid}/stat`, "utf8"));
    const child = { ...(await identify("b".repeat(32), "test")), pid, startTime };
    expect(await probe(child)).toEqual({ kind: "alive" });
    (parent.stdio[3] as NodeJS.WritableStream).end("go\n");
    await expect.poll(async () => (await probe(child)).kind).toBe("dead");
    process.kill(pid, 0); // it is there still
  } finally {
    parent.kill("SIGKILL");
    await once(parent, "close");
  }
});

function omitNamespace({ pidNamespace: _, ...rest }: Holder): Holder {
  return rest;
}
