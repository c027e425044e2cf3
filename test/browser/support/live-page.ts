import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { RunAction } from "../../../src/core/decide.ts";
import { type ActionAnswer, type RunEvent, WIRE_VERSION } from "../../../src/report/page/wire.ts";
import type { Scenario } from "../../support/scenario.ts";

/** What the test says in the browser to the page, in the place of a server. */
export type Scripted = {
  readonly acted: readonly RunAction[];
  readonly follows: () => number;
  readonly tell: (events: readonly RunEvent[]) => void;
  readonly connection: (connection: { readonly kind: string; readonly [key: string]: unknown }) => void;
  readonly answers: (answer: ActionAnswer) => void;
};

const entry = fileURLToPath(new URL("scripted-page.mjs", import.meta.url));

/** The page as it is with a server, live and able to ask, at the end of the facts of this run. Gives its address. */
export async function writeLivePage(folder: string, run: Scenario): Promise<string> {
  await build({
    configFile: false,
    logLevel: "silent",
    oxc: { jsx: { importSource: "preact" } },
    build: {
      target: "es2023",
      outDir: folder,
      minify: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: entry,
        output: {
          codeSplitting: false,
          format: "iife",
          entryFileNames: "live.js",
          assetFileNames: "live[extname]",
        },
      },
    },
  });
  const session = {
    v: WIRE_VERSION,
    version: "1.0.0",
    repository: { name: "shop", path: "/shop" },
    run: run.state.run,
    canAct: true,
  };
  const events: RunEvent[] = [
    ...run.facts.map((fact, n): RunEvent => ({ kind: "fact", n, fact })),
    { kind: "clock", isRunning: true, now: run.now },
    { kind: "live" },
  ];
  const told = JSON.stringify({ session, events, runs: [] }).replaceAll("<", "\\u003c");
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>plait</title>',
    '<meta name="viewport" content="width=device-width">',
    `<style>${readFileSync(join(folder, "live.css"), "utf8")}</style></head>`,
    `<body><div id="page"></div><script>window.told = ${told}</script><script src="live.js"></script></body></html>`,
  ].join("\n");
  writeFileSync(join(folder, "live.html"), html);
  return `file://${join(folder, "live.html")}`;
}
