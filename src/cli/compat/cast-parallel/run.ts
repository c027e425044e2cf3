import type { BatchList } from "../../../app/cast/batches.ts";
import { repositoryRefusal } from "../../../app/index.ts";
import { type Command, otherCommand } from "../../../core/text/command.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { begin } from "../../begin.ts";
import { driveRun } from "../../drive.ts";
import { createHost } from "../../host.ts";
import { printFindings, readPlan } from "../../plan-file.ts";
import type { Request } from "../../request.ts";
import { endKind, tellEnd } from "./end.ts";
import { recordRun } from "./events.ts";
import { idsOf, type Split, taskOf } from "./split.ts";
import { followStreams, streamPlan, streamsOf } from "./streams.ts";
import { castCodes, NOT_STARTED, type Talk } from "./talk.ts";

export type StreamsInput = {
  readonly manifest: BatchList;
  readonly split: Split;
  /** Of the plan: absolute, and as it was typed. */
  readonly path: string;
  readonly shown: string;
  readonly talk: Talk;
};

/** Both streams at once, to their end: landed together, or kept. */
export async function runStreams(request: Request, input: StreamsInput): Promise<number> {
  const { manifest, split, path, talk } = input;
  const { planId } = manifest;
  tellHead(input);
  const command = otherCommand("plait", "cast-parallel", input.shown);
  if (!(await hasRepository(request, command, talk))) return castCodes.noRepository;
  // Warnings of plait's own begin as all others do here.
  const warn = (...texts: readonly string[]) => texts.forEach(talk.warn);
  const spoken = { ...request, output: { ...request.output, say: talk.lines, warn } };
  const loaded = await readPlan(spoken, { runCommands: false, prompts: streamPlan(split, { planId, path }) });
  printFindings(loaded, spoken);
  if (loaded.plan === null) {
    talk.error(NOT_STARTED);
    return castCodes.failed;
  }
  talk.info("Setting up worktrees...");
  const interrupted = { code: castCodes.failed, settled: talk.settled };
  const run = await begin(spoken, loaded, { plan: loaded.plan, command, interrupted, takesPlanFlags: false });
  const streams = streamsOf(split);
  const batches = new Map(streams.map(({ name, ids }) => [taskOf(name), ids]));
  const recorder = await recordRun(run, { planId, path, split: split.at, batches }, request.env);
  const place = { tmpDir: request.env.tmpDir ?? "/tmp", planId, path };
  const followed = await followStreams(run, streams, { talk, place });
  await driveRun(run, spoken, () => undefined);
  await followed.end();
  const state = run.view.state();
  tellEnd(state, followed, talk);
  const leftOut = await recorder.end(state);
  if (leftOut !== null) talk.warn(leftOut);
  return endKind(state) === "complete" ? castCodes.ok : castCodes.failed;
}

/** Where there is none, that is told. */
export async function hasRepository(request: Request, command: Command, talk: Talk): Promise<boolean> {
  const nowhere = await repositoryRefusal(createHost(request, command));
  if (nowhere === null) return true;
  talk.error(nowhere.message);
  talk.error(`  ${plainText(nowhere.hint)}`);
  return false;
}

function tellHead({ manifest, split, shown, talk }: StreamsInput): void {
  const { planId, batches } = manifest;
  talk.header(`cast parallel — ${planId} (${batches.length} batches, split at ${split.at})`);
  talk.detail(`  Plan file: ${shown}`);
  talk.detail(`  Stream A: batches ${idsOf(split.a)}`);
  talk.detail(`  Stream B: batches ${idsOf(split.b)}`);
  talk.plain("");
  if (split.b.length === 0) talk.info("The plan has one batch, so Stream B does not start.");
}
