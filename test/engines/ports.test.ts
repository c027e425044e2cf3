// Ports with real sockets and real locks. Where the tests look for ports depends on the process, so that two that run at once do
// not meet.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseRunId } from "../../src/core/ids.ts";
import type { PortRange } from "../../src/core/ports.ts";
import { NoFreePorts, openPorts } from "../../src/engines/local/ports.ts";
import { openSlotLeases, slotEnv } from "../../src/engines/local/slot-leases.ts";
import { portsOfTests } from "./local.ts";

const folder = mkdtempSync(join(tmpdir(), "plait-ports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function listen(port: number, host: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ port, host }, () => resolve(server));
  });
}

const close = (server: Server | null) => new Promise((resolve) => server?.close(resolve) ?? resolve(null));

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port, "127.0.0.1");
  await close(server);
  return server !== null;
}

const overlap = (a: PortRange, b: PortRange) => a.from <= b.to && b.from <= a.to;

describe("port ranges", () => {
  test("are bound until they are handed over, and used again when they come back", async () => {
    const ports = openPorts({ settings: portsOfTests(6), folder, run: "a" });
    const { range, handOver } = await ports.lease();
    expect(await isFree(range.from)).toBe(false);
    expect(await isFree(range.to)).toBe(false);
    await handOver();
    expect(await isFree(range.from)).toBe(true);
    ports.releaseWorktree(range);
    const again = await ports.lease();
    expect(again.range).toEqual(range);
    await again.handOver();
    await ports.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of runs at the same time are apart, also where they count differently, and nobody waits", async () => {
    const settings = portsOfTests(30);
    const runs = [settings, { ...settings, count: 2 }].map((one, i) =>
      openPorts({ settings: one, folder, run: `run-${i}` }),
    );
    const held = await Promise.all(runs.flatMap((ports) => [1, 2, 3].map(() => ports.lease())));
    await Promise.all(held.map(({ handOver }) => handOver())); // only the locks are left
    const ranges = held.map(({ range }) => range);
    for (const [i, one] of ranges.entries()) {
      for (const other of ranges.slice(i + 1))
        expect(overlap(one, other), JSON.stringify(ranges)).toBe(false);
    }
    for (const ports of runs) await ports.close();
  });

  test.each(["127.0.0.1", "0.0.0.0", "::1", "::"])(
    "with a port that somebody listens on at %s are skipped; without any left it is told which",
    async (host) => {
      const settings = portsOfTests(2);
      const busy = settings.from + 1;
      const server = await listen(busy, host);
      if (server === null) return; // no such address here
      const ports = openPorts({ settings, folder, run: "a" });
      const { range, handOver } = await ports.lease();
      expect(range.from).toBe(settings.from + settings.count);
      const refused = await ports.lease().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(NoFreePorts);
      expect(String(refused)).toContain(
        `no 3 free ports in a row left in ${settings.from}-${settings.to}: port ${busy} is in use; free ports`,
      );
      await handOver();
      await ports.close();
      await close(server);
    },
  );
});

test("nothing is left of notes that were cut off by a kill, also where the next driver leases nothing (I8)", async () => {
  const notes = mkdtempSync(join(folder, "notes-"));
  const file = join(notes, "ports.json");
  writeFileSync(`${file}.new`, "[");
  const parsed = parseRunId("a");
  if (!parsed.ok) throw new Error(parsed.problem);
  const ports = openPorts({ settings: portsOfTests(1), folder: join(notes, "locks"), run: "a" });
  const slots = await openSlotLeases({ run: parsed.id, ports, file }, []);
  await slots.close([]);
  expect(readdirSync(notes)).toEqual([]);
  rmSync(notes, { recursive: true });
});

describe("names of a slot", () => {
  const names = (run: string, slot: number) => {
    const parsed = parseRunId(run);
    if (!parsed.ok) throw new Error(parsed.problem);
    const {
      PLAIT_DB = "",
      COMPOSE_PROJECT_NAME = "",
      ...rest
    } = slotEnv(parsed.id, slot, { from: 3000, to: 3009 });
    return { PLAIT_DB, COMPOSE_PROJECT_NAME, rest };
  };

  test("are plain to read", () => {
    expect(names("shop-x7k2", 3)).toEqual({
      PLAIT_DB: "plait_shop_x7k2_3",
      COMPOSE_PROJECT_NAME: "plait-shop-x7k2-3",
      rest: { PLAIT_SLOT: "3", PLAIT_PORT: "3000", PLAIT_PORTS: "3000-3009" },
    });
  });

  test("are right for databases and compose, and differ wherever run or slot do", () => {
    const runs = ["a-b", "a_b", "a.b", "A-b", "a", "a-1", "9".repeat(64), `${"9".repeat(63)}8`, "x-", "x"];
    const all = runs.flatMap((run) => [1, 11, 256].map((slot) => names(run, slot)));
    for (const { PLAIT_DB, COMPOSE_PROJECT_NAME } of all) {
      expect(PLAIT_DB).toMatch(/^[a-z][a-z0-9_]{0,62}$/);
      expect(COMPOSE_PROJECT_NAME).toMatch(/^[a-z0-9][a-z0-9_-]{0,62}$/);
    }
    expect(new Set(all.map(({ PLAIT_DB }) => PLAIT_DB)).size).toBe(all.length);
    expect(new Set(all.map(({ COMPOSE_PROJECT_NAME }) => COMPOSE_PROJECT_NAME)).size).toBe(all.length);
  });
});
