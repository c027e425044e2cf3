import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyPlace, startPlait } from "./support.ts";

it("the demo starts at once, whatever other runs let the demo agent run into", async () => {
  const place = emptyPlace();
  const state = join(place.root, "state/plait");
  mkdirSync(state);
  const account = JSON.stringify(["plait", "demo", "default"]);
  const limit = { account, until: Date.now() + 3_600_000, durationMs: 3_600_000, why: "auth" };
  writeFileSync(join(state, "accounts.json"), JSON.stringify({ version: 1, limits: [limit] }));
  const demo = startPlait(place, ["demo", "--json"]);
  await demo.seen(({ type }) => type === "attempt.started" || type === "account.limited");
  expect(demo.facts.map(({ type }) => type)).not.toContain("account.limited");
  demo.signal("SIGKILL");
  await demo.end;
});
