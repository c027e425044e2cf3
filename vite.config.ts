// The command line as one bundle. Start-up time is the reason: npm packages are bundled in, so Node opens a
// handful of files, and whatever a command imports with `import()` becomes a chunk that only that command loads.
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

export default defineConfig({
  define: { __PLAIT_VERSION__: JSON.stringify(version) },
  // No public folder and no .env files: the bundle depends on the sources alone.
  publicDir: false,
  envDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: "src/cli/main.ts",
    target: "node20.19",
    outDir: "dist/cli",
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // web-tree-sitter has an eval for grammars that bring scripts; ours bring none.
      checks: { eval: false },
      output: {
        format: "es",
        entryFileNames: "main.js",
        chunkFileNames: "chunks/[name]-[hash].js",
        // Small things that every command, or every reader of plans, needs: a few files to open, not forty.
        codeSplitting: {
          groups: [
            {
              name: "plans",
              test: /\/src\/(?:core\/(?:analyze|each|ownership|ids|source|suggest|caps)|formats\/(?:[^/]+\.ts|\w+\/detect\.ts))/,
            },
            {
              name: "flags",
              test: /\/src\/(?:cli\/(?:\w+-)?flags?|spec\/(?:spec-contents|tech-spec\/(?:lifecycle|names)))\.ts/,
            },
            { name: "load-plan", test: /\/src\/app\/(?:load-plan|read-text|plan-files|plan-input)\.ts/ },
          ],
        },
        banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
        // Names stay, so that a stack trace in a bug report can be read.
        minify: { compress: true, mangle: false, codegen: true },
      },
    },
  },
});
