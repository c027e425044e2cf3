// What each worktree of a run has for itself, seen by the programs that get it; and gates that share something.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { factsOf, type Place, place, portsOfTests, runPlan, sh } from "./local.ts";

const SEEN = "$PLAIT_SLOT $PLAIT_PORT $PLAIT_PORTS $PLAIT_DB $COMPOSE_PROJECT_NAME";

/** Who saw what: `one agent` → the values, in the order of their coming. */
function seenIn({ root }: Place): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  for (const line of readFileSync(join(root, "seen.txt"), "utf8").trimEnd().split("\n")) {
    const [who = "", values = ""] = line.split(": ");
    seen.set(who, [...(seen.get(who) ?? []), values]);
  }
  return seen;
}

describe.concurrent("a worktree", () => {
  test("has number, ports and names of its own from set-up to teardown, and its agent can listen there", async () => {
    const at = place();
    const note = (who: string) => `echo "${who}: ${SEEN}" >> ${at.root}/seen.txt`;
    // Listens on the first and the last port until the other task does as well.
    const program = join(at.root, "listen.mjs");
    writeFileSync(
      program,
      `import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
const [, last] = process.env.PLAIT_PORTS.split("-");
const [, , mine, other] = process.argv;
const listen = (port) => new Promise((done, fail) => createServer().on("error", fail).listen(port, done));
await Promise.all([process.env.PLAIT_PORT, last].map(Number).map(listen));
writeFileSync(mine, "");
while (!existsSync(other)) await new Promise((done) => setTimeout(done, 10));
process.exit(0);
`,
    );
    const listening = (mine: string, other: string) =>
      `node ${program} ${at.root}/${mine}-listens ${at.root}/${other}-listens`;
    const settings = portsOfTests(6);
    const ran = await runPlan(
      at,
      `ports: ${JSON.stringify(settings)}
setup: ['${note("$PLAIT_TASK setup")}']
teardown: ['${note("$PLAIT_TASK teardown")}']
gates: [{ name: clean, run: '${note("gate")}; ! grep BAD *.txt' }]
tasks:
  - id: one
    retries: 0
    fix-rounds: 1
    prompt: |
      demo: run ${note("one agent")}
      demo: on attempt 1: run ${listening("one", "two")}
      demo: on attempt 1: write one.txt BAD
      demo: on attempt 2: write one.txt good
  - id: two
    env: { COMPOSE_PROJECT_NAME: mine }
    prompt: |
      demo: run ${note("two agent")}
      demo: run ${listening("two", "one")}
      demo: write two.txt good
`,
      { policy: { slots: 2 } },
    );
    expect(ran.outcome).toBe("complete");
    const seen = seenIn(at);
    const [one = "", ...others] = new Set(
      ["one setup", "one agent", "one teardown"].flatMap((who) => seen.get(who) ?? []),
    );
    expect(others).toEqual([]);
    expect(seen.get("one agent")).toHaveLength(2); // the fix round goes on with the same
    const [slot, port = "", ports, db, project] = one.split(" ");
    const run = ran.state.run;
    expect([db, project]).toEqual([`plait_${run.replaceAll("-", "_")}_${slot}`, `plait-${run}-${slot}`]);
    expect(ports).toBe(`${port}-${Number(port) + 2}`);
    expect(Number(port)).toBeGreaterThanOrEqual(settings.from);
    expect(Number(port) + 2).toBeLessThanOrEqual(settings.to);
    const two = seen.get("two agent")?.[0]?.split(" ") ?? [];
    expect(two[4]).toBe("mine"); // what the plan says counts
    for (const i of [0, 1, 2, 3]) expect(two[i]).not.toBe(one.split(" ")[i]);
    // Trees to judge have theirs, the same for set-up, gate and teardown.
    expect(new Set(seen.get(" setup"))).toEqual(new Set(seen.get("gate")));
    expect(new Set(seen.get(" teardown"))).toEqual(new Set(seen.get("gate")));
    // Nothing is left of it (I8).
    expect(existsSync(join(ran.folder, "ports.json"))).toBe(false);
    expect(readdirSync(join(at.root, "state/plait/ports"))).toEqual([]);
  });
});

describe.concurrent("a gate with slots", () => {
  test("runs no oftener at once, whoever asks: base, attempts, merged trees, the landing", async () => {
    const at = place();
    // The first gate takes longer for the tree that is saved first, so that another one is first at the second gate.
    writeFileSync(
      join(at.root, "alone.sh"),
      `mkdir ${at.root}/inside || echo overlap >> ${at.root}/overlaps.txt
echo run >> ${at.root}/runs.txt
sleep 0.1
rmdir ${at.root}/inside
`,
    );
    const ran = await runPlan(
      at,
      `gates:
  - { name: unit, run: "! test -f a.new || sleep 0.2" }
  - { name: alone, run: "sh ${at.root}/alone.sh", slots: 1 }
tasks:
  - { id: a, prompt: "demo: write a.new x" }
  - { id: b, prompt: "demo: run sleep 0.1; echo x > b.new" }
  - id: c
    prompt: |
      demo: run cd ${at.repo} && echo mine > mine.txt && git add mine.txt && git -c user.name=U -c user.email=u@e.org commit -qm mine
      demo: write c.new x
`,
      { policy: { slots: 3 } },
    );
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "ls")).toBe("a.new\na.txt\nb.new\nc.new\nmine.txt");
    expect(existsSync(join(at.root, "overlaps.txt"))).toBe(false);
    const askers = factsOf(ran, "gate.judged").flatMap(({ name, asked }) =>
      name === "alone" ? asked.map(({ kind }) => kind) : [],
    );
    expect(new Set(askers)).toEqual(new Set(["base", "attempt", "candidate", "landing"]));
    const judged = factsOf(ran, "gate.judged").filter(({ name }) => name === "alone");
    // None was ended to make room for another.
    expect(readFileSync(join(at.root, "runs.txt"), "utf8").trim().split("\n")).toHaveLength(judged.length);
  });
});
