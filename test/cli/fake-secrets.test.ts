import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, plaitIn } from "./place.ts";

const KEY = `sk-ant-${"a1".repeat(12)}`;

const plan = (consent: string): string =>
  `plait: 1\nname: d\ndefaults: { agent: demo, retries: 0 }\n${consent}tasks:\n  - { id: a, prompt: "demo: write test/keys.txt ${KEY}" }\n`;

it("a line that looks like a secret is named with file, line and kind, and the plan may allow it there", async () => {
  const place = makePlace();
  const file = join(place.repo, "..", "plan.yaml");
  writeFileSync(file, plan(""));
  const refused = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  const text = refused.stdout.replaceAll(/\s+/g, " ");
  expect(refused.code).toBe(1);
  expect(text).toContain("test/keys.txt: line 1 looks like a secret (sk-ant-…)");
  expect(text).toContain('set `consent: "secrets:test/keys.txt"` in the task');
  writeFileSync(file, plan(`consent: ["secrets:test/**"]\n`));
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(0);
  expect(git(place, "show", "main:test/keys.txt")).toBe(KEY);
});

it("the value of a known secret is never allowed", async () => {
  const place = makePlace();
  writeFileSync(join(place.repo, "..", "plan.yaml"), plan(`consent: ["secrets:**"]\n`));
  const env = { ...place.env, SHOP_API_KEY: KEY };
  const refused = await plaitIn({ ...place, env }, "run", "../plan.yaml", "--allow-root");
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("the value of a secret")]);
});
