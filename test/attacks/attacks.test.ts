// `npm run faults`: every attack against the built program, without walls and in the sandbox, and a table of how each ended.

import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { main } from "../cli/plait.ts";
import { type End, journal, makeRepo, type Place, plait, runPlan, writePlan } from "../faults/support.ts";
import { describeWith } from "../support/extras.ts";
import { ATTACKS, type Attack, furnish, killSleepers } from "./attacks.ts";

type Ending = "blocked" | "held" | "reported" | "possible" | "silent";
type Column = "without" | "sandbox";

const endings = new Map<string, Partial<Record<Column, Ending>>>();
const note = ({ name }: Attack, column: Column, ending: Ending) =>
  endings.set(name, { ...endings.get(name), [column]: ending });

describe("without walls no change outside the worktree is silent", () => {
  for (const attack of ATTACKS)
    test(attack.name, async () => {
      const ending = await tryAttack(attack, []);
      note(attack, "without", ending);
      expect(ending, `${attack.name} without walls`).not.toBe("silent");
    });
});

const bubblewrap = {
  name: "bubblewrap",
  isThere: existsSync("/usr/bin/bwrap"),
  install: "apt install bubblewrap",
};

describeWith(bubblewrap, "I12: in the sandbox nothing succeeds", () => {
  for (const attack of ATTACKS)
    test(attack.name, async () => {
      const ending = await tryAttack(attack, ["--sandbox", "required"]);
      note(attack, "sandbox", ending);
      expect(ending, `${attack.name} in the sandbox`).toBe("blocked");
    });
});

async function tryAttack(attack: Attack, args: readonly string[]): Promise<Ending> {
  const place = makeRepo();
  furnish(place);
  attack.prepare?.(place);
  const lines = attack.lines(place).map((line) => `run (${line}) || true`);
  const task = { id: "t", does: [...lines, "write own.txt x", "sleep 50ms"] };
  const plan = writePlan(place, [task], { gates: ["sh check.sh"] });
  const env = { SECRET_NOTE: "canary-3f9b2c", PLAIT_NODE: process.execPath, PLAIT_MAIN: main };
  const end = await runPlan(place, plan, args, { env });
  // An attack that was never tried proves nothing.
  expect(
    journal(place).some(({ type }) => type === "attempt.spawned"),
    end.stderr,
  ).toBe(true);
  try {
    if (!attack.hasSucceeded(place)) return "blocked";
  } finally {
    killSleepers();
  }
  return explain(attack, end, await printReport(place));
}

async function printReport(place: Place): Promise<string> {
  const { stdout } = await plait(place, ["report"]);
  return stdout;
}

function explain({ kind, trace }: Attack, { code, stdout, stderr }: End, report: string): Ending {
  if (kind === "reach") return "possible";
  const isNamed = trace?.test(`${stderr}\n${report}`) ?? false;
  if (code !== 0) return "held";
  const isReported = isNamed || (trace?.test(stdout.split("\n").at(-2) ?? "") ?? false);
  return isReported ? "reported" : "silent";
}

afterAll(() => {
  const width = Math.max(...ATTACKS.map(({ name }) => name.length));
  const row = (name: string, without: string, sandbox: string) =>
    `${name.padEnd(width)}  ${without.padEnd(10)}  ${sandbox}`;
  const rows = ATTACKS.map(({ name }) => {
    const { without = "-", sandbox = "-" } = endings.get(name) ?? {};
    return row(name, without, sandbox);
  });
  console.log([row("attack", "no walls", "in the sandbox"), ...rows].join("\n"));
});
