import { join } from "node:path";
import { expect, test } from "vitest";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import type { ModelBody } from "./model-server.ts";
import { newPlace, runPlan, sh } from "./runs.ts";
import { writeFiles } from "./support.ts";

const RULES = Array.from({ length: 1_000 }, (_, n) => `Rule ${n}: line ${n * 7_919} of the rules.`).join(
  "\n",
);

/** In the order in which Anthropic looks an input up in its prompt cache. */
function formatInput({ tools, system, messages }: ModelBody): string {
  return [tools, system, messages].map((part) => JSON.stringify(part)).join("\n");
}

/** How much of one input is also the beginning of the other. */
function measureSharedPrefix(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same / one.length;
}

describeClaude("the input of two tasks in two worktrees", () => {
  test("with 40 KB of context begins with the same nine tenths, up to where Claude sets a mark for the cache", async () => {
    const done = [{ text: "Done." }];
    const place = await newPlace({ one: done, two: done, baker: done });
    const rules = join(place.repo, "rules.md");
    await writeFiles(place.repo, {
      "rules.md": RULES,
      ".claude/agents/baker.md": "---\nname: baker\ndescription: Bakes\n---\n\nYou bake.\n",
    });
    sh(place, "git add -A; git commit -q -m rules");
    const task = (id: string) => ({ id, prompt: `Do it. ${scriptMark(id)}`, access: "read-only" });
    const baker = { ...task("baker"), agent: { use: "claude", name: "baker" } };
    const { code, stderr } = await runPlan(place, [task("one"), task("two"), baker], { context: [rules] });
    expect(code, stderr).toBe(0);
    const [one, two] = ["one", "two"].map((id) => place.server.requestsOf(id)[0]?.body as ModelBody) as [
      ModelBody,
      ModelBody,
    ];
    expect(measureSharedPrefix(formatInput(one), formatInput(two))).toBeGreaterThan(0.9);
    const system = one.system as readonly { text: string; cache_control?: object }[];
    expect(two.system).toEqual(system);
    expect(system.at(-1)?.text).toContain("Rule 999: line 7911081");
    expect(system.at(-1)?.cache_control).toBeDefined();
    // A sub-agent's own instructions replace those of Claude, and the shared part still follows them.
    const sub = JSON.stringify(place.server.requestsOf("baker")[0]?.body?.system);
    expect(sub).toMatch(/You bake\..*Rule 999/);
    expect(JSON.stringify(one.messages)).not.toContain("Rule 999");
  });
});
