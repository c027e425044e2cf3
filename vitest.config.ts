import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import cli from "./vite.config.ts";

export default defineConfig({
  define: cli.define ?? {}, // what the build puts in place of names, tests see as well
  test: {
    // Many tests wait for programs: three at once also where there are two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Not a judgement about speed: it only ends what hangs, on a machine that may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
