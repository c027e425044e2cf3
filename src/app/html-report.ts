// The page with a run in it, as one file: facts, and as many of the texts, prompts, transcripts, logs and diffs as there is room
// for. Masked (I13), of bounded size (I10); what is left out is said, in the page too.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { AttemptId, TextHash } from "../core/ids.ts";
import { timeShown } from "../core/select/progress.ts";
import { values } from "../core/sorted-map.ts";
import { htmlPage, inFileParts } from "../report/page/html.ts";
import {
  type CutText,
  type InlinedAttempt,
  type InlinedRun,
  type Session,
  WIRE_VERSION,
} from "../report/page/wire.ts";
import { followRun } from "./follow-run.ts";
import { clockOf, type Host, type OrRefusal } from "./host.ts";
import { changedFiles } from "./html-report/changed-files.ts";
import { costOf } from "./html-report/fitting.ts";
import { type Inlined, itemOf } from "./html-report/items.ts";
import { leftOutSentences } from "./html-report/left-out.ts";
import { type Share, shareOut } from "./html-report/share.ts";
import { type Wanted, wantedOf } from "./html-report/wanted.ts";
import { maskTexts } from "./mask-texts.ts";
import { pageParts } from "./page-parts.ts";
import { runMask } from "./run-mask.ts";
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
      session: sessionOf(host, found),
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

function sessionOf({ version }: Host, { repository, known }: FoundRun): Session {
  const path = repository.standsInFor ?? repository.workTree ?? repository.commonDir;
  const place = { name: basename(path), path };
  return { v: WIRE_VERSION, version, repository: place, run: known.run, canAct: false };
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
