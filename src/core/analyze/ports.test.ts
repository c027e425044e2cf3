import { describe, expect, test } from "vitest";
import { analyzeSample, at, BASE, draftOf, LAYERS } from "../../../test/support/drafts.ts";
import type { PlanDraft } from "../draft.ts";
import type { PortSettings, PortsSaid } from "../ports.ts";
import { portsFrom } from "./ports.ts";

type Sample = {
  readonly plan?: PortsSaid;
  readonly files?: PortSettings;
  readonly slots?: number;
  readonly flag?: number;
};

function told({ plan, files, slots, flag }: Sample): string[] {
  const draft: Partial<PlanDraft> = {
    ...(plan && { ports: { value: plan, at: at(3) } }),
    ...(slots && { slots: { value: slots, at: at(4) } }),
  };
  const overrides = flag === undefined ? {} : { slots: flag };
  const layers = { ...LAYERS, base: { ...BASE, ports: files ?? null }, overrides };
  const { diagnostics } = analyzeSample(draftOf([{ id: "a" }], draft), { layers });
  return diagnostics
    .filter(({ code }) => code === "bad-ports")
    .map((one) => `${one.at?.start.line} ${one.message}`);
}

describe("the ports of a plan", () => {
  test.each<[string, Sample, string[]]>([
    ["nobody says", { slots: 256 }, []],
    ["enough for all slots", { plan: { from: 3000, to: 3099 }, slots: 4 }, []],
    ["the wrong way round", { plan: { from: 3000, to: 2000 } }, ["3 the ports 3000 to 2000 are not a range"]],
    [
      "too few for one worktree",
      { plan: { from: 3000, to: 3004 } },
      ["3 the ports 3000-3004 are fewer than the 10 a worktree gets"],
    ],
    [
      "too few for the slots of the plan",
      { plan: { from: 3000, to: 3098 }, slots: 4 },
      ["3 the ports 3000-3098 are too few: 4 slots need ports for 10 worktrees, 10 each"],
    ],
    [
      "of a file, too few for the slots of the plan",
      { files: { from: 3000, to: 3039, count: 10 }, slots: 2 },
      ["4 the ports 3000-3039 are too few: 2 slots need ports for 6 worktrees, 10 each"],
    ],
    [
      "too few for the slots of a flag",
      { files: { from: 3000, to: 3039, count: 10 }, flag: 2 },
      ["1 the ports 3000-3039 are too few: 2 slots need ports for 6 worktrees, 10 each"],
    ],
  ])("%s", (_, sample, findings) => expect(told(sample)).toEqual(findings));

  test("each number is decided by itself", () => {
    expect(portsFrom({ from: 3000, to: 3999, count: 5 }, { count: 7, to: undefined })).toEqual({
      from: 3000,
      to: 3999,
      count: 7,
    });
  });
});
