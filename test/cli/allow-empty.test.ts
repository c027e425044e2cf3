import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePlace, plaitIn } from "./place.ts";

const plan = (more: string) => `plait: 1
tasks:
  - { id: a, agent: demo, retries: 0, prompt: "demo: say nothing to do"${more} }
  - { id: b, agent: demo, needs: [a], prompt: "demo: write b.txt x" }
`;

it("a task that changed nothing: the suggested command takes the edited plan, and the run lands", async () => {
  const place = makePlace();
  const file = join(place.repo, "..", "plan.yaml");
  writeFileSync(file, plan(""));
  const ran = await plaitIn(place, "run", "../plan.yaml");
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain("allow-empty: true");
  const status = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  const next = status.next as string[];
  const command = `plait resume ${status.run} --plan ../plan.yaml`;
  expect(next).toContain(command);
  expect(next.indexOf(command)).toBeLessThan(next.indexOf(`plait retry a --run ${status.run}`));
  expect((await plaitIn(place, "report")).stdout).toContain(
    `\`${command}\`: continue after you edit the plan`,
  );
  writeFileSync(file, plan(", allow-empty: true"));
  const again = await plaitIn(place, ...command.split(" ").slice(1));
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("2 of 2 done")]);
});
