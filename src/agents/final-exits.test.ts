import { expect, test } from "vitest";
import type { Ending } from "./adapter.ts";
import { withFinalExits } from "./final-exits.ts";
import { agentsOf } from "./registry.ts";

const ending: Ending = {
  ...{ code: 2, signal: null, stderr: "oh", endedBy: null, before: null },
  ...{ gated: false, access: "write", at: 0, zone: "UTC" },
};
const agents = agentsOf({ demo: ["demo"], commands: [] });
const reason = (all: typeof agents, name: string, ended: Ending, line = "{}") =>
  all.get(name)?.reader("/").read(line).next.conclude(ended).failure?.reason;

test.each(["claude", "codex"])(
  "exit codes that a retry cannot change are final for %s, others are not",
  (name) => {
    const final = withFinalExits(agents);
    expect(reason(agents, name, ending)).toBe("crash");
    for (const code of [2, 126, 127]) expect(reason(final, name, { ...ending, code })).toBe("rejected");
    expect(reason(final, name, { ...ending, code: 1 })).toBe("crash");
  },
);

test("what an agent explains, and what plait ended, stays as it is", () => {
  const final = withFinalExits(agents);
  const limited = '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":100}}';
  expect(reason(final, "claude", ending, limited)).toBe("usage-limit");
  const endedBy = { reason: "timeout", clock: "total" } as const;
  expect(reason(final, "claude", { ...ending, endedBy })).toBe("timeout");
});
