import { defineConfig } from "vitest/config";
import cli from "./vite.config.ts";

export default defineConfig({
  define: cli.define ?? {}, // what the build puts in place of names, tests see as well
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Not a judgement about speed: it only ends what hangs, on a machine that may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
