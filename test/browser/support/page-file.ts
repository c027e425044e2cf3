import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Activity } from "../../../src/core/activity.ts";
import type { EpochMs, Fact } from "../../../src/core/facts.ts";
import type { RunId } from "../../../src/core/ids.ts";
import { htmlPage, inFileParts } from "../../../src/report/page/html.ts";
import { type InlinedRun, WIRE_VERSION } from "../../../src/report/page/wire.ts";

export type ToldRun = {
  readonly facts: readonly Fact[];
  readonly now: EpochMs;
  readonly activity?: Iterable<Activity>;
  readonly isRunning?: boolean;
} & Partial<Pick<InlinedRun, "texts" | "attempts" | "leftOut">>;

const built = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../dist/ui/${name}`, import.meta.url)), "utf8");

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");

/** A run that is told by its facts alone, as a file that holds the built page and them: no server, and the time stands still. */
export function writePageFile(path: string, told: ToldRun): string {
  const [first] = told.facts;
  if (first?.type !== "run.started") throw new Error("the first fact must be the start of the run");
  const run: InlinedRun = {
    v: WIRE_VERSION,
    session: {
      v: WIRE_VERSION,
      version: "1.0.0",
      repository: { name: "shop", path: "/shop" },
      run: first.run as RunId,
      canAct: false,
    },
    madeAt: told.now,
    isRunning: told.isRunning ?? true,
    facts: told.facts,
    activity: [...(told.activity ?? [])],
    texts: told.texts ?? {},
    attempts: told.attempts ?? {},
    leftOut: told.leftOut ?? [],
  };
  const parts = inFileParts({ script: built("file.js"), style: built("page.css") });
  writeFileSync(path, htmlPage(run, parts, { script: hashOf(parts.script), style: hashOf(parts.style) }));
  return `file://${path}`;
}
