// `plait integrate --fix`: check, send each task's findings to its agent, land the fixes, check again.

import { type LocalRun, resumeRun } from "../../app/index.ts";
import {
  assignFindings,
  buildFixRun,
  type FixAssignment,
  type FixAssignments,
} from "../../app/integrate/fix/assign-findings.ts";
import { findUnfinishedFix, sendBack } from "../../app/integrate/fix/send-back.ts";
import type { Integrated } from "../../app/integrate/integrate.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { count } from "../../core/text/figures.ts";
import type { IntegrationFinding } from "../../spec/integrate/finding.ts";
import { formatPlace } from "../../spec/integrate/summary.ts";
import { begin } from "../begin.ts";
import { canConfirm, confirm } from "../confirm.ts";
import { driveHere, driveRun, findExitCode } from "../drive.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { drivingHost, granted } from "../host.ts";
import { printFindings, readPlan } from "../plan-file.ts";
import type { Glyphs } from "../render/glyphs.ts";
import { bold, dim, type Line } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { Request } from "../request.ts";
import { RequestError } from "../request-error.ts";
import {
  checkParts,
  type FixRound,
  type IntegrateSubject,
  readSubject,
  reportParts,
  subjectAsked,
  type ToIntegrate,
} from "./integrate.ts";

const ROUNDS = 2;

/** Only a round whose fixes landed is followed by another: else a person decides first. */
export async function fixParts(request: Request, about: ToIntegrate): Promise<ExitCode> {
  refuseUnasked(request, about);
  const subject = await readSubject(request, about);
  if (subject === null) return exitCodes.badRequest;
  const rounds: FixRound[] = [];
  const unfinished = await continueFix(request, subject);
  if (unfinished !== null) rounds.push(unfinished);
  for (let n = 1; ; n += 1) {
    const ended = rounds.find(({ signal }) => signal !== null)?.signal ?? null;
    if (ended !== null) return ended;
    const judged = await checkParts(request, subject);
    if ("ended" in judged) return judged.ended;
    const isLanded = rounds.every((round) => round.isLanded);
    const assigned = assignFindings(judged.subject, judged.report);
    const isLast = n > (request.options.rounds ?? ROUNDS) || assigned.sent.length === 0 || !isLanded;
    const answer = isLast ? "no" : await isWanted(request, assigned, n);
    if (answer === "interrupted") return exitCodes.interrupted;
    if (assigned.sent.length === 0 && request.options.json !== true)
      request.output.say(renderLeft(assigned.left, request.output.glyphs));
    if (answer === "no") return reportParts(request, { ...judged, about, fix: { rounds, isLanded } });
    rounds.push(...(await sendRound(request, subject, judged, assigned.sent)));
  }
}

/** A budget that no one has agreed to is not spent. */
function refuseUnasked({ options }: Request, { named, isFolder }: ToIntegrate): void {
  if (options.yes === true || (options.json !== true && canConfirm())) return;
  const flags = { fix: true, yes: true };
  const command = isFolder
    ? plait("spec integrate", [], flags)
    : plait("integrate", named === null ? [] : named, flags);
  throw new RequestError(
    "--fix needs a terminal to ask before starting agents",
    `start without asking: ${formatCommand(command)}`,
  );
}

/** An interrupted `--fix` is resumed first. */
async function continueFix(request: Request, subject: IntegrateSubject): Promise<FixRound | null> {
  const { found } = granted(await findUnfinishedFix(subject.host, subjectAsked(request, subject)));
  if (found === null) return null;
  const { run } = found.known;
  if (request.options.json !== true) request.output.say([[`Resuming ${run}, which was interrupted`]]);
  const host = await drivingHost(request, plait("integrate", [], { fix: true }));
  const taken = granted(await resumeRun(host, found, () => []));
  return driveRound(request, taken.run, []);
}

/** Asked once, on the first round. */
async function isWanted(
  { options, output }: Request,
  assigned: FixAssignments,
  round: number,
): Promise<"yes" | "no" | "interrupted"> {
  const { rounds = ROUNDS } = options;
  if (options.json !== true) output.say(renderFixRound(assigned, round, rounds, output.glyphs));
  if (options.yes === true || round > 1) return "yes";
  const answer = await confirm("Start these agents?");
  if (answer === null) return "interrupted";
  return answer ? "yes" : "no";
}

/** One run after another: each starts from what the one before has landed. */
async function sendRound(
  request: Request,
  subject: IntegrateSubject,
  judged: Integrated,
  sent: readonly FixAssignment[],
): Promise<FixRound[]> {
  const done: FixRound[] = [];
  const known = new Set(sent.map(({ run }) => run));
  for (const of of known) {
    const some = sent.filter(({ run }) => run === of);
    const run = of === null ? await startRun(request, subject, some) : await takeUp(request, judged, some);
    done.push(await driveRound(request, run, some));
    if (done.some(({ isLanded }) => !isLanded)) break;
  }
  return done;
}

async function takeUp(
  request: Request,
  { subject: { repository } }: Integrated,
  sent: readonly FixAssignment[],
): Promise<LocalRun> {
  const host = await drivingHost(request, plait("integrate", [], { fix: true }));
  const [first] = sent;
  if (first === undefined || first.run === null) throw new Error("findings have no run");
  const budgetUsd = request.options.budgetUsd ?? null;
  const { run, warnings } = granted(await sendBack(host, { repository, known: first.run, sent, budgetUsd }));
  request.output.warn(...warnings);
  return run;
}

/** A new run needs prompts, which a check does not. */
async function startRun(
  request: Request,
  { named }: IntegrateSubject,
  sent: readonly FixAssignment[],
): Promise<LocalRun> {
  const { agent: _, model: __, timeout: ___, ...options } = request.options;
  const asPlan: Request = { ...request, args: [named ?? ""], options };
  const loaded = await readPlan(asPlan, { runCommands: false });
  if (loaded.plan === null) {
    printFindings(loaded, asPlan);
    throw new RequestError(
      `${named} is not a valid plan`,
      `check the plan: ${formatCommand(plait("validate", named ?? []))}`,
    );
  }
  const { plan, texts } = buildFixRun({ plan: loaded.plan, texts: loaded.texts }, sent);
  return begin(asPlan, { ...loaded, texts }, { plan, command: plait("integrate", [], { fix: true }) });
}

/** With `--json` only the last report is printed. */
async function driveRound(
  request: Request,
  run: LocalRun,
  sent: readonly FixAssignment[],
): Promise<FixRound> {
  const exit =
    request.options.json === true ? await driveQuietly(run, request) : await driveHere(run, request);
  const tasks = sent.map(({ task, findings }) => ({ task: task.id, findings: findings.length }));
  const signal = exit >= exitCodes.hungUp ? exit : null;
  return { run: run.view.run, tasks, isLanded: exit === exitCodes.ok, signal };
}

async function driveQuietly(run: LocalRun, request: Request): Promise<ExitCode> {
  return findExitCode(await driveRun(run, request, () => undefined));
}

/** The findings of each task, before agents start. */
function renderFixRound(
  { sent, left }: FixAssignments,
  round: number,
  rounds: number,
  glyphs: Glyphs,
): Line[] {
  const total = sent.reduce((sum, { findings }) => sum + findings.length, 0);
  return [
    [bold(`round ${round} of ${rounds}: send ${count(total, "finding")} to ${count(sent.length, "task")}`)],
    ...sent.flatMap((one) => renderTask(one, glyphs)),
    ...renderLeft(left, glyphs).map((line): Line => ["  ", ...line]),
  ];
}

/** How many findings no agent gets, by reason. */
function renderLeft(left: FixAssignments["left"], glyphs: Glyphs): Line[] {
  const reasons = new Map<string, number>();
  for (const { reason } of left) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return Array.from(reasons, ([reason, n]): Line => {
    return [dim(shown(`left to you: ${count(n, "finding")}, ${reason}`, glyphs))];
  });
}

const MOST_SHOWN = 5;

function renderTask({ task, findings, run }: FixAssignment, glyphs: Glyphs): Line[] {
  const agent = task.work.kind === "agent" ? task.work.agent.use : "";
  const how = run === null ? "starts fresh with its prompt" : `continues in ${run.run}`;
  const more = findings.length - MOST_SHOWN;
  const texts = [
    ...findings.slice(0, MOST_SHOWN).map(formatFinding),
    ...(more > 0 ? [`and ${count(more, "more finding")}`] : []),
  ];
  return [
    ["  ", bold(shown(task.id, glyphs)), shown(`: ${agent}, ${how}`, glyphs)],
    ...texts.map((text): Line => ["    ", dim(shown(text, glyphs))]),
  ];
}

function formatFinding(finding: IntegrationFinding): string {
  const place = formatPlace(finding);
  return `${place === null ? "" : `${place}: `}${finding.code}: ${finding.about}: ${finding.message}`;
}
