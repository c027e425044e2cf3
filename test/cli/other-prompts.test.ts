import { expect, it } from "vitest";
import { makePlace, plaitIn } from "./place.ts";

it("prompts that have nothing to do with an unfinished run of other prompts do not mention it", async () => {
  const place = makePlace();
  const run = (prompt: string) =>
    plaitIn(place, "run", "-p", prompt, "--agent", "demo", "--retries", "0", "--gate", "true");
  expect((await run("demo: fail agent-said-no not today")).code).toBe(1);
  const other = await run("demo: write b.txt b");
  expect([other.code, other.stderr]).toEqual([0, expect.not.stringContaining("the last run of this plan")]);
  expect((await run("demo: fail agent-said-no not today")).stderr).toContain("the last run of this plan");
});
