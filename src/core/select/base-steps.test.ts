import { describe, expect, test } from "vitest";
import { gateOf } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { GateJudged } from "../facts.ts";
import type { Plan, SetupCommand } from "../plan.ts";
import { formatCommand } from "../text/command.ts";
import { plainText } from "../text/sentence.ts";
import { listBaseHints } from "./base-steps.ts";
import { listNextSteps } from "./next-steps.ts";

const gate = gateOf("npm test");
const setup: SetupCommand = { kind: "shell", line: "npm ci; exit 3" };

const NO_FLAGS: NonNullable<Plan["source"]["typed"]> = {};

/** A run that stopped at its base commit; `words`: its prompts were typed, with these flags, `typed` among them. */
function stopAtBase(
  more: Pick<GateJudged, "isUnprepared" | "missing">,
  words?: readonly string[],
  typed = NO_FLAGS,
): Scenario {
  const run = new Scenario([{ id: "a" }], { plan: { gates: [gate] }, base: "unjudged" });
  run.judge(gate, "base", "red", more);
  const { index } = run.state;
  const source: Plan["source"] =
    words === undefined
      ? index.plan.source
      : { ...index.plan.source, format: "prompts", path: "-p", words, typed };
  const prepare = { ...index.plan.prepare, setup: more.isUnprepared ? [setup] : [] };
  run.state = { ...run.state, index: { ...index, plan: { ...index.plan, source, prepare } } };
  return run.finish();
}

const next = ({ state }: Scenario) =>
  listNextSteps(state, { isRunning: false }).map(
    ({ command, purpose }) => `${formatCommand(command)}: ${purpose}`,
  );
const hints = ({ state }: Scenario) => listBaseHints(state).map((hint) => plainText(hint));
const base = ({ state }: Scenario) => state.base.commit.slice(0, 7);

const RED_GATE = "plait logs --run run-1: see why the gate is red";
const ALLOW = "plait resume run-1 --allow-red-base: continue on a red base commit";

describe("what to type after a setup failed on the base commit", () => {
  test("of a plan: its setup is edited, and the run resumed", () => {
    expect(next(stopAtBase({ isUnprepared: true }))).toEqual([
      "plait logs --run run-1: see the output of the setup",
      "plait resume run-1: continue after you edit setup in plan.yaml or a configuration file",
      "plait run plan.yaml: start a new run from the commit that fixes it",
    ]);
  });

  test("that was typed: another one", () => {
    for (const flag of [["--setup", "npm ci; exit 3"], ["--setup=npm ci; exit 3"]]) {
      const words = ["-p", "x", ...flag, "--gate", "npm test"];
      const typed = { setup: ["npm ci; exit 3"] };
      expect(next(stopAtBase({ isUnprepared: true }, words, typed))).toEqual([
        "plait logs --run run-1: see the output of the setup",
        "plait run -p x --setup <command> --gate 'npm test': start a new run with another setup",
        "plait resume run-1: run the same setup again",
      ]);
    }
  });
});

describe("what to type after a gate was red on the base commit", () => {
  const none = { folders: [], notIgnored: [], submodules: [] };

  test("where nothing is known to be missing", () => {
    const run = stopAtBase({}, ["-p", "x"]);
    expect(next(run)).toEqual([
      RED_GATE,
      "plait run -p x: start a new run from the commit that fixes it",
      `plait resume run-1: check ${base(run)} again`,
      ALLOW,
    ]);
    expect(hints(run)).toEqual([]);
  });

  test("because worktrees lack folders of the checkout: first, get them there", () => {
    const missing = { ...none, folders: ["node_modules", "web/node_modules"] };
    const typed = stopAtBase({ missing }, ["-p", "x", "--no-copy"]);
    expect(next(typed)[0]).toBe(
      "plait run -p x --copy node_modules --copy web/node_modules: start a new run with node_modules and web/node_modules in worktrees",
    );
    expect(hints(typed)).toEqual([
      "node_modules is in your checkout but not in worktrees. If a gate needs it, add --copy node_modules to a new run: plait run -p x --copy node_modules",
      "web/node_modules is in your checkout but not in worktrees. If a gate needs it, add --copy web/node_modules to a new run: plait run -p x --copy web/node_modules",
    ]);
    const planned = stopAtBase({ missing: { ...none, folders: ["node_modules"] } });
    expect(next(planned)).toEqual([
      "plait resume run-1: continue after you set copy: [node_modules] in plan.yaml",
      RED_GATE,
      "plait run plan.yaml: start a new run from the commit that fixes it",
      ALLOW,
    ]);
  });

  test("because git does not ignore a folder", () => {
    const run = stopAtBase({ missing: { ...none, notIgnored: ["node_modules"] } }, ["-p", "x"]);
    expect(next(run)[0]).toBe("plait resume run-1: continue after you add node_modules to .gitignore");
    expect(hints(run)).toEqual([
      "node_modules is not ignored by git, so worktrees do not get it; add it to .gitignore, then: plait resume run-1",
    ]);
  });

  test("because a submodule is empty", () => {
    const run = stopAtBase({ missing: { ...none, submodules: ["vendor/lib"] } });
    expect(next(run).slice(0, 3)).toEqual([
      "git submodule update --init --recursive: fill the submodule vendor/lib",
      `plait resume run-1: check ${base(run)} again`,
      RED_GATE,
    ]);
  });
});
