import { leftOutSentences } from "../../src/app/html-report.ts";
import { statusDocument } from "../../src/app/status-of.ts";
import { runnerErrors } from "../../src/cli/compat/parallel-orchestra/outcome.ts";
import { glyphs } from "../../src/cli/render/glyphs.ts";
import { type Line, plainText } from "../../src/cli/render/line.ts";
import { droppedLines, handInLines } from "../../src/cli/render/open.ts";
import { endLines } from "../../src/cli/render/run/end.ts";
import { happened } from "../../src/cli/render/run/happened.ts";
import { statusLines } from "../../src/cli/render/status.ts";
import { decide, type RunCommand } from "../../src/core/decide.ts";
import { evolve } from "../../src/core/evolve.ts";
import { FACT_VERSION, type Fact } from "../../src/core/facts.ts";
import type { RefName } from "../../src/core/ids.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { formatAction } from "../../src/core/select/action-text.ts";
import { buildNotification, listNeeds } from "../../src/core/select/needs.ts";
import { listNextSteps } from "../../src/core/select/next-steps.ts";
import { offers } from "../../src/core/select/offers.ts";
import { overview } from "../../src/core/select/overview.ts";
import { remarks } from "../../src/core/select/remarks.ts";
import { listBanners } from "../../src/core/select/run-banner.ts";
import { findEndStatus } from "../../src/core/select/run-status.ts";
import { openTasks } from "../../src/core/select/task-lists.ts";
import type { NextStep } from "../../src/core/text/command.ts";
import type { Sentence } from "../../src/core/text/sentence.ts";
import { listCpoSteps } from "../../src/report/cpo/next.ts";
import { markdownReport } from "../../src/report/markdown.ts";
import { results } from "../../src/report/parallel-orchestra/results.ts";
import { pullRequestReport } from "../../src/report/pull-request.ts";
import { runReport } from "../../src/report/run-report.ts";
import type { Moment } from "./command-check.ts";
import { listCommandWords, listSentenceCommands, listTextCommands, type Words } from "./find-commands.ts";

/** A state of a simulated run, and what led to it. */
export type SeenState = Moment & {
  readonly fact: Fact;
  readonly before: RunState | null;
  readonly facts: readonly Fact[];
  readonly where: string;
};

/** A command that plait tells a person to type. One of the moments must accept it: now, or what the text says comes first. */
export type PrintedCommand = {
  readonly words: Words;
  readonly from: string;
  readonly moments: readonly Moment[];
};

type Found = { readonly words: readonly Words[]; readonly moments?: readonly Moment[] };
type Producer = (seen: SeenState) => readonly Found[];

/** Everything in plait that tells a person what to type about a run, by name. */
export const PRODUCERS: { readonly [name: string]: Producer } = {
  "next steps": ({ state, isRunning }) => fromSteps(listNextSteps(state, { isRunning })),
  needs: ({ state, isRunning }) =>
    listNeeds(state, { isRunning, changedConfig: ["a hook changed"] }).flatMap(({ steps, text, details }) => [
      ...fromSteps(steps),
      ...fromSentences([text, ...details]),
    ]),
  banners: (seen) => {
    const { state, isRunning } = seen;
    const look = { ...overview(state, state.clock, { isRunning }), isRunning };
    return fromSentences(
      listBanners(state, look).map(({ text }) => text),
      atLast(seen),
    );
  },
  actions: (seen) =>
    listTasks(seen)
      .flatMap((task) => offers(seen.state, task, seen))
      .flatMap((action) => {
        const after = action.kind === "resume" ? seen : { ...seen, state: apply(seen.state, action) };
        const { effect } = formatAction(seen.state, action, seen);
        // The landing that may be undone is not simulated here: parsing has to do.
        const isLater = ({ words: [one] }: Found) => action.kind === "land" && one?.[1] === "undo";
        return fromSentences([effect], atLast(after)).filter((found) => !isLater(found));
      }),
  // A run is asked by its process, or has ended.
  refusals: (seen) =>
    (seen.isRunning || seen.state.ended !== null ? listEverythingAsked(seen) : []).flatMap((asked) => {
      const decision = decide(seen.state, asked, seen.state.clock);
      return decision.ok
        ? []
        : fromSentences([decision.refusal.message, decision.refusal.hint ?? ""], atLast(seen));
    }),
  notices: (seen) =>
    seen.before === null
      ? []
      : fromLines(
          happened(seen.fact, seen.before, seen.state, { ...LOOK, mode: "plain", interrupt: "stops" }),
          atLast(seen),
        ),
  notification: ({ state }) => {
    const { next, text, needs } = buildNotification(state);
    // It is sent by the process of the run.
    const moments = [{ state, isRunning: state.ended === null }];
    return [...fromSteps(next, moments), ...fromSentences([text, ...needs], moments)];
  },
  remarks: ({ state }) => fromSentences(remarks(asSpec(state))),
  status: (seen) => {
    const { state, isRunning } = seen;
    const view = { state, now: state.clock, activity: new Map(), driver: isRunning ? DRIVER : null };
    return fromLines(statusLines({ ...view, files: FILES }, LOOK), atLast(seen));
  },
  "status for programs and agents": ({ state, isRunning }) => {
    const known = { run: state.run, folder: { path: "/runs/r" } } as Parameters<typeof statusDocument>[0];
    const driver = isRunning ? (DRIVER as never) : null;
    return fromStrings(
      statusDocument(known, { state, now: state.clock, activity: new Map(), driver }, FILES),
    );
  },
  end: (seen) =>
    seen.state.ended === null
      ? []
      : fromLines(
          endLines(
            { state: seen.state, now: seen.state.clock, tails: NO_TAILS, files: FILES },
            { ...LOOK, height: null },
          ),
        ),
  report: (seen) => (isReported(seen) ? fromStrings(buildReport(seen)) : []),
  "report in Markdown": (seen) => (isReported(seen) ? fromStrings(markdownReport(buildReport(seen))) : []),
  "pull request": (seen) => (isReported(seen) ? fromStrings(pullRequestReport(buildReport(seen), null)) : []),
  "report in HTML": ({ state: { run } }) => {
    const kinds = ["text", "diff", "transcript", "log", "prompt"] as const;
    return fromSentences(
      leftOutSentences(
        kinds.map((kind) => ({ kind, state: "left-out" })),
        { run, folder: "/runs/r" },
      ),
    );
  },
  cpo: ({ state, isRunning }) =>
    isRunning ? [] : fromSteps(listCpoSteps(state, { typed: "plait cpo", named: "parallel/a" })),
  "parallel-orchestra": (seen) => {
    const { state, isRunning } = seen;
    if (isRunning || state.ended === null) return [];
    const status = findEndStatus(state);
    const none = { agents: new Map(), resumed: new Set<never>(), said: new Map(), left: new Map() };
    return fromSentences(
      runnerErrors({ state, results: results(state, none), status, left: new Map() })
        .flat()
        .map((text) => text.replace(/, then .*/, "")), // what follows is not possible yet
    );
  },
  "opened task": ({ state }) =>
    openTasks(state).flatMap((open) => {
      const opened = {
        ...open,
        run: state.run,
        allowRoot: state.allowRoot,
        worktree: "/w",
        folder: "/w",
        resume: null,
      };
      return open.worktree === null ? [] : fromLines(handInLines(opened, LOOK));
    }),
  "dropped task": ({ state }) =>
    state.index.plan.tasks
      .slice(0, 1)
      .flatMap(({ id }) =>
        fromLines(
          droppedLines([{ task: id, ref: `refs/plait/${state.run}/${id}/1` as RefName }], state.run, LOOK),
        ),
      ),
};

export function listPrintedCommands(seen: SeenState): PrintedCommand[] {
  return Object.entries(PRODUCERS).flatMap(([from, produce]) =>
    produce(seen).flatMap(({ words, moments = [seen] }) =>
      words.map((one) => ({ words: one, from, moments })),
    ),
  );
}

const fromSteps = (steps: readonly NextStep[], moments?: readonly Moment[]) =>
  steps.map(({ command }) => ({ words: listCommandWords(command), ...(moments && { moments }) }));

const fromSentences = (texts: readonly Sentence[], moments?: readonly Moment[]) =>
  texts.map((text) => ({ words: listSentenceCommands(text), ...(moments && { moments }) }));

const fromLines = (lines: readonly Line[], moments?: readonly Moment[]) =>
  fromSentences(
    lines.map((line) => plainText(line)),
    moments,
  );

/** Every string of a document. */
function fromStrings(document: unknown): Found[] {
  if (typeof document === "string") return [{ words: listTextCommands(document) }];
  if (typeof document !== "object" || document === null) return [];
  return Object.values(document).flatMap(fromStrings);
}

/** Now, or once the process of the run has ended: `To continue later: plait resume`. */
const atLast = ({ state, isRunning }: Moment): readonly Moment[] => [
  { state, isRunning },
  { state, isRunning: false },
];

function apply(state: RunState, action: RunCommand): RunState {
  const decision = decide(state, action, state.clock);
  if (!decision.ok) return state;
  const after = decision.facts.reduce((now: RunState, fact) => evolve(now, fact) ?? now, state);
  // The worktree is there before anybody reads on.
  return openTasks(after).reduce((now: RunState, { attempt }) => {
    const body = { type: "worktree.opened", attempt, worktree: "/w", conflicts: [] } as const;
    return evolve(now, { v: FACT_VERSION, at: state.clock, ...body }) ?? now;
  }, after);
}

/** As a run of an artifact folder, whose parts are to be compared at its end. */
function asSpec(state: RunState): RunState {
  const { plan } = state.index;
  const source = { ...plan.source, format: "cpo", path: "parallel/TS-0001-a/manifest.json" };
  return { ...state, index: { ...state.index, plan: { ...plan, source } } };
}

const listTasks = ({ state }: Moment) => [null, ...state.index.plan.tasks.map(({ id }) => id)];

/** Of a run, and of each of its tasks, everything that a person may ask for. */
function listEverythingAsked({ state }: Moment): RunCommand[] {
  const ofTask = state.index.plan.tasks.flatMap(({ id: task }): RunCommand[] => [
    ...(["retry", "approve", "open", "accept", "cancel"] as const).map((kind) => ({ kind, task })),
    { kind: "retry", task, now: true },
    { kind: "hold", task, why: "a reason" },
  ]);
  return [
    ...ofTask,
    ...(["pause", "unpause", "land", "retry-now", "undo", "keep-worktrees", "allow-red-base"] as const).map(
      (kind) => ({ kind }),
    ),
    ...(["drain", "stop", "kill"] as const).map((mode) => ({ kind: "stop" as const, mode })),
    { kind: "resize", slots: 2 },
    { kind: "budget", usd: 0.01 },
  ];
}

const isReported = ({ state, isRunning }: Moment): boolean => state.ended !== null || !isRunning;

function buildReport({ state, facts, isRunning }: SeenState) {
  const none = new Map();
  const beside = {
    ...{ said: none, summaries: none, outputs: none, diffs: none, artifacts: none, reports: none },
    files: () => ({ log: "l", transcript: "t", prompt: "p" }),
    changed: [],
  };
  return runReport({ facts, state, now: state.clock, isRunning, folder: "/runs/r", beside, landed: null });
}

const LOOK = { width: 400, glyphs: glyphs.unicode } as const;
const DRIVER = { pid: 1, host: "here", at: "now" };
const FILES = { report: "/r/report.md", artifacts: null, reports: [], changed: [] };
const NO_TAILS = { tasks: new Map(), base: new Map() };
