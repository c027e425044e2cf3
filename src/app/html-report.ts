// The page with a run in it, as one file: facts, and as many of the texts, prompts, transcripts, logs and diffs as there is room
// for. Masked (I13), of bounded size (I10); what is left out is said, in the page too.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AttemptId, RunId, TextHash } from "../core/ids.ts";
import { timeShown } from "../core/select/progress.ts";
import { values } from "../core/sorted-map.ts";
import { formatCommand, plait } from "../core/text/command.ts";
import { htmlPage, inFileParts, type PageParts } from "../report/page/html.ts";
import { type CutText, type InlinedAttempt, type InlinedRun, WIRE_VERSION } from "../report/page/wire.ts";
import { followRun } from "./follow-run.ts";
import { clockOf, findInPackage, type Host, type OrRefusal, refuse } from "./host.ts";
import { costOf, type Share, shareOut } from "./html-report/fitting.ts";
import { changedFiles, type Inlined, itemOf, type Wanted, wantedOf } from "./html-report/items.ts";
import { describeSession } from "./page/page-runs.ts";
import { maskTexts, runMask } from "./run-mask.ts";
import type { FoundRun, KnownRun } from "./runs.ts";

export type HtmlLimits = {
  /** Of the file, facts and page included; only a run with more facts than that makes it larger. */
  readonly totalBytes: number;
  /** Of any one text. */
  readonly itemBytes: number;
};

const htmlLimits: HtmlLimits = { totalBytes: 10_000_000, itemBytes: 512 * 1024 };

export type HtmlReport = { readonly html: string; readonly leftOut: readonly string[] };

/** Of a run as it is now, whether it has ended or not. */
export async function htmlReport(
  host: Host,
  found: FoundRun,
  limits: HtmlLimits = htmlLimits,
): Promise<OrRefusal<{ report: HtmlReport }>> {
  const page = await pageParts();
  if (!page.ok) return page;
  const parts = inFileParts(page.parts);
  const room = limits.totalBytes - Buffer.byteLength(parts.script) - Buffer.byteLength(parts.style);
  const run = await inlinedRun(host, found, { ...limits, totalBytes: room });
  const html = htmlPage(run, parts, { script: hashOf(parts.script), style: hashOf(parts.style) });
  return { ok: true, report: { html, leftOut: run.leftOut } };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");

/** Room for the frame of the file, and for names and brackets between the texts. */
const FRAME_BYTES = 4_000;
const ITEM_BYTES = 100;

async function inlinedRun(host: Host, found: FoundRun, limits: HtmlLimits): Promise<InlinedRun> {
  const { known } = found;
  const { facts, state, driver, run, folder } = known;
  const mask = await runMask(host, { repository: found.repository, folder });
  const isRunning = driver !== null;
  const bare = maskTexts(
    {
      session: describeSession(host, found.repository, { run, canAct: false }),
      madeAt: timeShown(state, clockOf(host).now(), isRunning),
      isRunning,
      facts,
      activity: await activityOf(known),
    },
    mask,
  );
  const wanted = wantedOf(facts, state);
  const room = limits.totalBytes - costOf(bare) - FRAME_BYTES - wanted.length * ITEM_BYTES;
  const source = { found, mask, changed: await changedFiles(found), most: limits.itemBytes };
  const shares = await shareOut(
    wanted.map((one) => itemOf(source, one)),
    Math.max(0, room),
  );
  const told = wanted.map(({ kind }, i) => ({ kind, state: shares[i]?.state ?? "left-out" }));
  return {
    v: WIRE_VERSION,
    ...bare,
    ...placed(known, { wanted, shares, mask }),
    leftOut: leftOutSentences(told, { run, folder: mask(folder.path) }),
  };
}

/** Its driver knows more than the journal: what agents do just now. */
async function activityOf(known: KnownRun): Promise<InlinedRun["activity"]> {
  if (known.driver === null) return [];
  const { view, close } = await followRun(known);
  close();
  return [...view.activity().values()];
}

type Placed = Pick<InlinedRun, "texts" | "attempts">;

type Shared = {
  readonly wanted: readonly Wanted[];
  readonly shares: readonly Share<Inlined>[];
  readonly mask: (text: string) => string;
};

/** Where the page looks for it. Names of attempts are masked like those in the facts. */
function placed({ state }: KnownRun, { wanted, shares, mask }: Shared): Placed {
  const texts: { [hash: TextHash]: CutText } = {};
  const attempts = new Map<AttemptId, InlinedAttempt>();
  for (const { past, live } of values(state.tasks))
    for (const { id } of [...past, ...live])
      attempts.set(id, { prompt: null, transcript: null, log: null, diff: null });
  for (const [i, one] of wanted.entries()) {
    const { value, state: how } = shares[i] as Share<Inlined>; // one for each
    // A prompt that is not there at all is told by null.
    const kept = value ?? (one.kind === "prompt" && how === "left-out" ? NOT_HERE : null);
    if (kept === null) continue;
    if (one.kind === "text") texts[one.hash] = kept as CutText;
    else attempts.set(one.attempt, { ...(attempts.get(one.attempt) as InlinedAttempt), [one.kind]: kept });
  }
  return { texts, attempts: Object.fromEntries([...attempts].map(([id, of]) => [mask(id), of])) };
}

const NOT_HERE: CutText = { text: "[left out to keep the file small]", cutBytes: 1 };

async function pageParts(): Promise<OrRefusal<{ parts: PageParts }>> {
  const path = findInPackage("dist/ui/file.js");
  if (path === null)
    return refuse("environment", "the web UI is missing from this installation", "install plait again");
  const paths = [path, join(dirname(path), "page.css")];
  const [script = "", style = ""] = await Promise.all(paths.map((one) => readFile(one, "utf8")));
  return { ok: true, parts: { script, style } };
}

type Kind = Wanted["kind"];

const TASK = { placeholder: "task" };

const NAMES: { readonly [K in Kind]: readonly [one: string, many: string] } = {
  text: ["output of a gate or agent", "outputs of gates and agents"],
  diff: ["diff", "diffs"],
  transcript: ["transcript", "transcripts"],
  log: ["log", "logs"],
  prompt: ["prompt", "prompts"],
};

type LeftOutItem = { readonly kind: Kind; readonly state: Share<unknown>["state"] };

/** What is not in the file, a sentence for each kind, and where it can be seen. */
export function leftOutSentences(
  told: readonly LeftOutItem[],
  { run, folder }: { readonly run: RunId; readonly folder: string },
): string[] {
  const where: { readonly [K in Kind]: string } = {
    text: `see ${folder}/texts`,
    diff: formatCommand(plait("diff", TASK, { run })),
    transcript: formatCommand(plait("logs", TASK, { run })),
    log: formatCommand(plait("logs", TASK, { run, raw: true })),
    prompt: `see ${folder}/prompts`,
  };
  return (Object.keys(NAMES) as Kind[]).flatMap((kind) => {
    const of = (state: LeftOutItem["state"]) =>
      told.filter((one) => one.kind === kind && one.state === state).length;
    const [cut, gone] = [of("cut"), of("left-out")];
    const parts = [
      ...(cut === 0 ? [] : [`${named(cut, kind)} cut short`]),
      ...(gone === 0 ? [] : [`${named(gone, kind)} left out`]),
    ];
    return parts.length === 0 ? [] : [`${parts.join(", ")}: ${where[kind]}`];
  });
}

function named(n: number, kind: Kind): string {
  const [one, many] = NAMES[kind];
  return `${n} ${n === 1 ? `${one} is` : `${many} are`}`;
}
