import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import cli from "./vite.config.ts";

/** Begun first: one of these at the end would hold up everything while the other cores have nothing to do. */
const SLOW = /test\/(browser\/|e2e\/claude-run|faults\/failing-git-sweep|compat\/c)/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Nothing that they share keeps anything between them: a process for each would cost more than most of them. */
const UNITS = [
  "src/**/*.test.ts",
  "test/{agents,docs,formats,plugin,sim,words}/**/*.test.ts",
  "test/compat/{cpo-again,cpo-init,cpo-progress,cpo-words,journals,po-manifest,po-plan}.test.ts",
  "test/compat/parallel-orchestra{,-dashboard,-report}.test.ts",
];

/** Pages in a browser: what these load is the same for all of them. */
const BROWSER = ["test/browser/**/*.test.ts", "test/web/browser-attacks.test.ts"];

/** With more than Node, npm and git: programs of agents, terminals. `npm run extras` runs them, and those in a browser. */
const EXTRAS = ["test/e2e/{claude,codex,gh,parallel-orchestra}*.test.ts", "test/cli/tmux/**/*.test.ts"];

/**
 * One thing at very many points, or very large: every planted bug, kill, order, git call, slip of the pen, habit of an agent, way to
 * end a program; and whole runs of the spec-driven workflow and of the older command lines, whose parts are tested one by one
 * elsewhere. `npm run sweep` runs them.
 */
const SWEEPS = [
  "src/core/analyze/large-plans",
  "src/formats/cpo/long-input",
  "src/formats/cpo/mutations",
  "test/formats/mutations",
  "test/sim/mutants",
  "test/sim/scheduling",
  "test/faults/failing-git-sweep",
  "test/faults/kill-sweep",
  "test/journal/lock-race",
  "test/faults/agents-git",
  "test/faults/processes",
  "test/faults/requests",
  "test/faults/signals",
  "test/faults/without-repository",
  "test/cli/decompose",
  "test/cli/integrate-examples",
  "test/cli/integrate-fix",
  "test/cli/integrate-services",
  "test/cli/spec-go",
  "test/git/crash",
  "test/git/failing-calls",
  "test/e2e/integrate-landings",
  "test/e2e/night",
  "test/git/continue",
  "test/git/land-refusals",
  "test/git/pool",
  "test/git/save-commits",
  "test/git/save-files",
  "test/engines/without-repository",
  "test/cli/streams",
  "test/spec/examples",
  "test/compat/cast-parallel",
  "test/compat/cpo-run",
  "test/compat/parallel-orchestra-refusals",
  "test/compat/parallel-orchestra-run",
].map((name) => `${name}.test.ts`);

/** Of worktrees, and once more with a repository of its own for each. */
const TWICE = [
  "test/git/{afterwards,continue,crash,failing-calls,faults,pool,save-commits,save-files}.test.ts",
];

/** Attacks of an agent on its user, with and without walls. `npm run faults` runs them and prints how each ended. */
const ATTACKS = ["test/attacks/**/*.test.ts"];

export default defineConfig({
  define: cli.define ?? {}, // what the build puts in place of names, tests see as well
  test: {
    // What is built is loaded as users load it.
    server: { deps: { external: [/\/dist\/(cli|lib)\//] } },
    projects: [
      { extends: true, test: { name: "units", include: UNITS, exclude: SWEEPS, isolate: false } },
      { extends: true, test: { name: "sweeps", include: SWEEPS } },
      { extends: true, test: { name: "private", include: TWICE, env: { PLAIT_TEST_ISOLATION: "private" } } },
      { extends: true, test: { name: "attacks", include: ATTACKS } },
      { extends: true, test: { name: "browser", include: BROWSER, isolate: false } },
      { extends: true, test: { name: "extras", include: EXTRAS } },
      {
        extends: true,
        // A process of its own for each: one starts programs as copies of itself, so it must stay small.
        test: {
          name: "whole",
          include: ["test/**/*.test.ts"],
          // Projects that tests take as they are have tests of their own.
          exclude: [...UNITS, ...SWEEPS, ...BROWSER, ...EXTRAS, ...ATTACKS, "test/fixtures/**"],
        },
      },
    ],
    // Many tests wait for programs: three at once also where there are two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowFirst },
    // Not a judgement about speed: it only ends what hangs, on a machine that may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxConcurrency: 6,
  },
});
