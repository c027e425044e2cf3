import { defineConfig } from "vitest/config";
import cli from "./vite.config.ts";

export default defineConfig({
  define: cli.define ?? {}, // what the build puts in place of names, tests see as well
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
  },
});
