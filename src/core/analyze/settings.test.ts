import { describe, expect, test } from "vitest";
import {
  analyzeSample,
  at,
  BASE,
  draftOf,
  envAt,
  LAYERS,
  NO_SETTINGS,
} from "../../../test/support/drafts.ts";

describe("which setting holds", () => {
  const settingsOf = (own: object, options: { defaults?: object; layers?: object } = {}) => {
    const draft = draftOf([{ id: "a", ...own }], { defaults: { ...NO_SETTINGS, ...options.defaults } });
    return analyzeSample(draft, { layers: { ...LAYERS, ...options.layers } }).plan?.tasks[0];
  };
  const agentOf = (...parameters: Parameters<typeof settingsOf>) => {
    const work = settingsOf(...parameters)?.work;
    return work?.kind === "agent" ? work.agent : undefined;
  };
  const opus = { use: "claude", name: "expert", model: "opus" };

  test("files, then the plan's defaults, then environment and flags, then the task", () => {
    const defaults = { retries: 5, idleMs: 50, env: envAt({ A: "1", B: "1" }, at(2)) };
    const layers = { overrides: { retries: 6, limits: { startMs: 7, idleMs: 8, totalMs: 9 } } };
    expect(settingsOf({})).toMatchObject({ retries: 1, limits: BASE.limits });
    expect(settingsOf({}, { defaults })).toMatchObject({
      retries: 5,
      limits: { ...BASE.limits, idleMs: 50 },
    });
    expect(settingsOf({}, { defaults, layers })).toMatchObject({
      retries: 6,
      limits: layers.overrides.limits,
    });
    expect(settingsOf({ retries: 0, env: { B: "2" } }, { defaults, layers })).toMatchObject({
      retries: 0,
      env: { A: "1", B: "2" },
    });
  });

  test("an agent is put together field by field", () => {
    const defaults = { agent: { value: opus, at: at(2) } };
    expect(agentOf({}, { defaults })).toEqual(opus);
    expect(agentOf({ agent: { model: "haiku" } }, { defaults })).toEqual({ ...opus, model: "haiku" });
    expect(agentOf({ agent: { use: "claude" } }, { defaults })).toEqual(opus);
  });

  test("another program drops the model and the sub-agent of the one below", () => {
    const defaults = { agent: { value: opus, at: at(2) } };
    expect(agentOf({ agent: { use: "codex" } }, { defaults })).toEqual({
      use: "codex",
      name: null,
      model: null,
    });
    expect(agentOf({ agent: { use: "codex", model: "o4" } }, { defaults })).toEqual({
      use: "codex",
      name: null,
      model: "o4",
    });
  });

  test("--agent and --model override a task's own value", () => {
    const forceWith = (agent: string | null, model: string | null) => ({
      layers: { force: { agent, model } },
    });
    expect(agentOf({ agent: opus }, forceWith("demo", null))).toEqual({
      use: "demo",
      name: null,
      model: null,
    });
    expect(agentOf({ agent: opus }, forceWith("demo", "m"))).toEqual({ use: "demo", name: null, model: "m" });
    expect(agentOf({ agent: opus }, forceWith(null, "haiku"))).toEqual({ ...opus, model: "haiku" });
    expect(agentOf({ agent: opus }, forceWith("claude", null))).toEqual({ ...opus, name: null });
  });

  test("preparation is replaced list by list", () => {
    const setup = [{ kind: "shell" as const, line: "npm ci" }];
    const placed = <T>(list: readonly T[]) => list.map((value) => ({ value, at: at(2) }));
    const draft = draftOf(
      [{ id: "a" }, { id: "b", prepare: { copy: [], envFiles: null, setup: null, teardown: null } }],
      {
        prepare: { copy: placed([".env"]), envFiles: false, setup: placed(setup), teardown: null },
      },
    );
    const plan = analyzeSample(draft).plan;
    const rest = { include: [], envFiles: false, setup, teardown: [] };
    expect(plan?.prepare).toEqual({ copy: [".env"], ...rest });
    expect(plan?.tasks.map(({ prepare }) => prepare)).toEqual([plan?.prepare, { copy: [], ...rest }]);
  });

  test("a race that the defaults ask for is for agents only", () => {
    expect(settingsOf({}, { defaults: { race: 3 } })?.race).toBe(3);
    expect(settingsOf({ command: "ls" }, { defaults: { race: 3 } })?.race).toBe(1);
  });
});
