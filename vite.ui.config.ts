// The web page: a script for the first look, one for the other views behind it, and a style sheet. The HTML report carries everything
// inside a single file that works from a disk, so for it (`--mode file`) all is one script.
import { defineConfig } from "vite";

export default defineConfig(({ mode }) => {
  const isForFiles = mode === "file";
  return {
    root: "src/ui",
    base: "./",
    publicDir: false,
    envDir: false,
    oxc: { jsx: { importSource: "preact" } },
    build: {
      target: "es2023",
      outDir: "../../dist/ui",
      emptyOutDir: !isForFiles,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        ...(isForFiles && { input: "src/ui/main.tsx" }),
        output: {
          entryFileNames: isForFiles ? "file.js" : "page.js",
          chunkFileNames: "[name].js",
          assetFileNames: "page[extname]",
          ...(isForFiles && { codeSplitting: false }),
        },
      },
    },
  };
});
