import { dirname } from "node:path";
import { expect, it } from "vitest";
import { listWaits } from "../../src/core/select/waits.ts";
import { makePlace, plaitIn } from "./place.ts";
import { begin } from "./run-place.ts";

/** `limited` meets a limit, `idle` has the same account, `done` waits for the base check, which ends with the run. */
const plan = (folder: string) => `plait: 1
name: waits
defaults: { agent: demo }
gates: [{ name: base, run: "sleep 600" }]
tasks:
  - id: limited
    owns: [a.txt]
    prompt: |
      demo: run while [ ! -e ${folder}/done ]; do sleep 0.05; done
      demo: fail usage-limit 1h that is all for now
  - id: done
    owns: [b.txt]
    prompt: |
      demo: write b.txt done
      demo: run touch ${folder}/done
  - id: idle
    owns: [c.txt]
    prompt: "demo: write c.txt done"
  - id: later
    needs: [limited]
    owns: [d.txt]
    prompt: "demo: write d.txt done"
`;

it("every view shows each wait with its end and the tasks that it holds, and a stopped run shows none", async () => {
  const place = makePlace();
  const folder = dirname(place.repo);
  const run = await begin(place, plan(folder), { slots: 2 });
  const isHeld = new Promise<void>((resolve) => {
    run.view.subscribe({
      fact: (_, after) => {
        const kinds = listWaits(after, after.clock).map(({ kind }) => kind);
        if (kinds.includes("base") && kinds.includes("usage-limit")) resolve();
      },
    });
  });
  const outcome = run.drive();
  await isHeld;
  const watched = plaitIn(place, "watch", "--progress", "plain");
  const limit = { kind: "usage-limit", reason: "demo usage limit", tasks: ["limited", "idle"] };
  const { waits } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  expect(waits).toMatchObject([
    { ...limit, until: expect.any(Number) },
    { kind: "base", reason: "base check, gate base", until: null, tasks: ["done"] },
  ]);
  const time = new Date(waits[0].until).toTimeString().slice(0, 5);
  const line = `2 tasks paused until ${time}: demo usage limit`;
  const { stdout } = await plaitIn(place, "status");
  expect(stdout).toContain(`${line}.\n`);
  // Longer than 80 columns, and no terminal.
  expect(stdout).toContain(
    "1 task waiting: base check, gate base. Nothing merges until the base commit is green.\n",
  );
  expect(stdout).toMatch(/◊ done +checking .* waiting for the base check\n/);
  const report = (await plaitIn(place, "report")).stdout;
  expect(report).toMatch(
    /## Waits\n\n- 2 tasks paused until .* \(UTC\): demo usage limit \(`limited`, `idle`\)\n- 1 task waiting: base check/,
  );
  expect((await plaitIn(place, "stop", "--now")).code).toBe(0);
  expect(await outcome).toBe("stopped");
  // At once: what began before somebody watched does not happen again.
  expect((await watched).stderr).toMatch(new RegExp(`^plait .*\n\\S+ {2}-- ${line}\n`));
  const after = (await plaitIn(place, "status")).stdout;
  expect(after).toMatch(/◦ done +stopped /);
  expect(after).not.toMatch(/checking|paused|until|task waiting|tasks waiting/);
});
