import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import cli from "./vite.config.ts";

/** Begun first: one of these at the end would hold up everything while the other cores have nothing to do. */
const SLOW = /test\/(browser\/|e2e\/(claude-run|night)|compat\/parallel-orchestra-run)/;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Much of the sources, and hardly a program. */
const UNITS = [
  "src/**/*.test.ts",
  "test/{agents,docs,formats,plugin,sim}/**/*.test.ts",
  "test/compat/{cpo-again,cpo-init,cpo-progress,cpo-words,journals,po-manifest,po-plan}.test.ts",
  "test/compat/parallel-orchestra{,-dashboard,-report}.test.ts",
];

/** Pages in a browser. */
const BROWSER = ["test/browser/**/*.test.ts", "test/web/browser-attacks.test.ts"];

/** One thing at very many points, or very large: every planted bug, kill, order, git call, slip of the pen. `npm run sweep` runs them. */
const SWEEPS = [
  "src/core/analyze/large-plans",
  "src/formats/cpo/long-input",
  "src/formats/cpo/mutations",
  "test/formats/mutations",
  "test/sim/mutants",
  "test/sim/scheduling",
  "test/faults/kill-sweep",
  "test/journal/lock-race",
  "test/git/crash",
  "test/git/failing-calls",
].map((name) => `${name}.test.ts`);

export default defineConfig({
  define: cli.define ?? {}, // what the build puts in place of names, tests see as well
  test: {
    // What is built is loaded as users load it.
    server: { deps: { external: [/\/dist\/(cli|lib)\//] } },
    // What a process has loaded serves every file that it runs: loading it again would cost more than most of them. Modules that
    // files share say what is to be done at the end of each (test/support/after-file.ts). Each project has processes of its own:
    // those that start many programs must be small, because a new one begins as a copy of them.
    isolate: false,
    projects: [
      { extends: true, test: { name: "units", include: UNITS, exclude: SWEEPS } },
      { extends: true, test: { name: "sweeps", include: SWEEPS } },
      { extends: true, test: { name: "browser", include: BROWSER } },
      {
        extends: true,
        // Projects that tests take as they are have tests of their own.
        test: {
          name: "whole",
          include: ["test/**/*.test.ts"],
          exclude: [...UNITS, ...SWEEPS, ...BROWSER, "test/fixtures/**"],
        },
      },
    ],
    setupFiles: ["test/support/each-file.ts"],
    // Many tests wait for programs: three at once also where there are two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowFirst },
    // Not a judgement about speed: it only ends what hangs, on a machine that may be busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxConcurrency: 6,
  },
});
