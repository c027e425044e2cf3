// The command line as one bundle. Start-up time is the reason: npm packages are bundled in, so Node opens a
// handful of files, and whatever a command imports with `import()` becomes a chunk that only that command loads.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const yaml = fileURLToPath(new URL("browser/dist/index.js", import.meta.resolve("yaml/package.json")));
const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

const group = (name: string, ...parts: readonly string[]) => ({
  name,
  test: new RegExp(`/(?:${parts.join("|")})`),
});

/**
 * Small things that every command, or every reader of plans, needs: a few files to open, not forty. A group takes along what its
 * modules import and no group before it has, so packages that not all of these need come first.
 */
const groups = [
  group("yaml", "node_modules/yaml/"),
  group("zod", "node_modules/zod/"),
  group("streams", "src/cli/(?:exit-codes|streams|version)\\.ts"), // all that `--version` needs
  group(
    "plans",
    "src/core/(?:analyze|each|ids|source|suggest|caps)",
    "src/core/ownership/(?!change|gate-|ignore-|owner|package-|run-|shell-)", // without what only runs ask of claims
    "src/formats/(?!codes)[^/]+\\.ts", // those are for `plait explain`
    "src/formats/\\w+/detect\\.ts",
  ),
  group(
    "flags",
    "src/cli/(?:(?:\\w+-)?flags?|output|compat/command-lines)\\.ts",
    "src/cli/render/(?:diagnostics|glyphs|json|line|visible|width)\\.ts",
    "src/spec/(?:spec-contents|tech-spec/(?:lifecycle|names))\\.ts",
    "src/(?:config/env|core/select/preview/(?:commands|words))\\.ts",
  ),
  group(
    "load-plan",
    "src/app/(?:load-config|load-plan|plan-files|plan-input|read-include|read-text)\\.ts",
    "src/(?:agents/built-in|config/(?:merge|settings)|core/select/run-words)\\.ts",
    "src/cli/(?:config|render/(?:figures|warning))\\.ts",
  ),
  group("native", "src/formats/native/(?!write)"),
];

export default defineConfig({
  define: { __PLAIT_VERSION__: JSON.stringify(version) },
  // No public folder and no .env files: the bundle depends on the sources alone.
  publicDir: false,
  envDir: false,
  // The same code as modules, in place of the form for `require`: what nobody asks for is left out, and nothing is wrapped.
  resolve: { alias: [{ find: /^yaml$/, replacement: yaml }] },
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
        codeSplitting: { groups },
        banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
        // Names stay, so that a stack trace in a bug report can be read.
        minify: { compress: true, mangle: false, codegen: true },
      },
    },
  },
});
