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

const TESTS = ["src/**/*.test.ts", "test/**/*.test.ts"];

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
    projects: [
      // Projects that tests take as they are have tests of their own.
      { extends: true, test: { name: "tests", include: TESTS, exclude: [...SWEEPS, "test/fixtures/**"] } },
      { extends: true, test: { name: "sweeps", include: SWEEPS } },
    ],
    // What a process has loaded serves every file that it runs: loading it again would cost more than most of them. Modules that
    // files share say what is to be done at the end of each (test/support/after-file.ts).
    isolate: false,
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
