// The web page as one script and one style sheet. One of each, because the HTML report carries both inside a single file that
// works from a disk, and because together they are smaller than one picture.
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/ui",
  base: "./",
  publicDir: false,
  envDir: false,
  oxc: { jsx: { importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: "../../dist/ui",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
      },
    },
  },
});
