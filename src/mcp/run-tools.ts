import * as z from "zod";
import {
  type AskedAction,
  actOnRun,
  type FoundRun,
  findRun,
  type Host,
  type OrRefusal,
  type Refused,
  readRunStatus,
  refuse,
  repositoryOfRuns,
  runFiles,
  statusDocument,
} from "../app/index.ts";
import { maskTexts, runMask } from "../app/run-mask.ts";
import { latestRuns } from "../app/runs.ts";
import type { RunState } from "../core/run-state.ts";
import { findRunStatus } from "../core/select/run-status.ts";
import { plait } from "../core/text/command.ts";
import { sentence } from "../core/text/sentence.ts";
import { buildTimeline } from "../report/moments.ts";
import { type Tool, tool, type Workshop } from "./tool.ts";
import { waitForMore } from "./wait.ts";

/** Runs as a whole: how far they are, what happened, and what may be asked of them. */

export const run = z
  .string()
  .min(1)
  .optional()
  .describe("Name of the run, or a unique prefix (default: the latest run).");

type Asked = { readonly host: Host; readonly found: FoundRun };

/** The run of a request, and the caller. */
export async function found(
  { host: hostFor }: Workshop,
  name: string | undefined,
): Promise<OrRefusal<Asked>> {
  const asked = await hostFor(plait("mcp"));
  if (!asked.ok) return asked;
  const known = await findRun(asked.host, name ?? null);
  return known.ok ? { ok: true, host: asked.host, found: known } : withRuns(asked.host, known);
}

const MOST_RUNS = 20;

/** No tool lists runs: a refusal that may be about the wrong run names them. */
async function withRuns(host: Host, refused: Refused): Promise<Refused> {
  const { kind, message, hint } = refused.refusal;
  const runs = await runsHere(host);
  if (runs.length === 0) return refused;
  const names = runs.map(({ run: name }) => name).join(", ");
  return refuse(kind, message, sentence`${hint}; runs here, the latest first: ${names}`);
}

async function runsHere(host: Host): Promise<{ run: string; status: string; is_running: boolean }[]> {
  const place = await repositoryOfRuns(host);
  if (!place.ok) return [];
  const { runs } = await latestRuns(place.repository, MOST_RUNS);
  return runs.map(({ run: name, state, driver }) => ({
    ...{ run: name, status: findStatus(state, driver !== null), is_running: driver !== null },
  }));
}

const findStatus = (state: RunState, isRunning: boolean): string =>
  findRunStatus(state, state.clock, isRunning).kind;

/** Paths, names and git objects may contain secrets of the environment or the plan (I13). */
export async function masked<T>(asked: Asked, answer: T): Promise<{ ok: true; answer: T }> {
  return { ok: true, answer: maskTexts(answer, await maskOf(asked)) };
}

export const maskOf = ({ host, found: of }: Asked) =>
  runMask(host, { repository: of.repository, folder: of.known.folder });

const runStatus = tool({
  name: "run_status",
  title: "Show a run",
  description:
    "Shows a run's progress: each task with status, attempts, cost and the reason it waits or failed; what to do next; and the list of runs.",
  input: z.strictObject({ run }),
  output: z
    .object({
      run: z.string(),
      status: z
        .object({ kind: z.string() })
        .loose()
        .describe(
          "The run's status. Only `landed` and `done` mean that all tasks are done and green; `done`: not landed on a branch.",
        ),
      process: z
        .object({ pid: z.int(), host: z.string() })
        .nullable()
        .describe("The process that runs it; null if it is not running."),
      progress: z
        .object({ total: z.int(), done: z.int(), counts: z.record(z.string(), z.int()) })
        .loose()
        .describe("`counts`: tasks by status."),
      needsYou: z
        .array(z.object({ task: z.string().nullable(), text: z.string(), next: z.string() }).loose())
        .describe("Everything that only a person can move, each with the command to run."),
      waits: z
        .array(z.object({ reason: z.string(), until: z.int().nullable(), tasks: z.array(z.string()) }))
        .describe("Why tasks are paused: until when (ms; null: unknown), and which tasks."),
      tasks: z.array(z.object({ task: z.string(), status: z.string(), note: z.string().nullable() }).loose()),
      pullRequests: z
        .array(
          z.object({ url: z.string(), branch: z.string(), base: z.string(), task: z.string().nullable() }),
        )
        .describe("The run's pull requests, in merge order."),
      next: z.array(z.string()).describe("Commands to run next."),
      runs: z
        .array(z.object({ run: z.string(), status: z.string(), is_running: z.boolean() }))
        .describe(`Runs of this repository, the latest first, at most ${MOST_RUNS}.`),
    })
    .loose(),
  hints: { readOnly: true },
  act: async ({ run: name }, workshop) => {
    const asked = await found(workshop, name);
    if (!asked.ok) return asked;
    const { known } = asked.found;
    const seen = await readRunStatus(known);
    const status = statusDocument(known, seen, await runFiles(known.folder.path, seen.state));
    const answer: object = { ...status, runs: await runsHere(asked.host) };
    return masked(asked, JSON.parse(JSON.stringify(answer)));
  },
});

const MOST_EVENTS = 500;
const LONGEST_WAIT_S = 50;

const runEvents = tool({
  name: "run_events",
  title: "Read run events",
  description:
    "Lists events of a run since a number, oldest first. With wait_seconds it returns when there are new events, the run has ended or the time is up: call it again with `next` until has_ended is true or is_running is false.",
  input: z.strictObject({
    run,
    since: z
      .int()
      .min(0)
      .optional()
      .describe("The `next` value of the last response (default: from the start)."),
    wait_seconds: z.int().min(0).max(LONGEST_WAIT_S).optional().describe("Time to wait for new events."),
  }),
  output: z.object({
    run: z.string(),
    events: z.array(z.object({ at: z.string(), task: z.string().nullable(), text: z.string() })),
    next: z.int(),
    has_ended: z.boolean(),
    status: z.string().describe("The `kind` of the status in run_status."),
    is_running: z.boolean().describe("False: the run is not running; no more events until run_resume."),
  }),
  hints: { readOnly: true },
  act: async ({ run: name, since = 0, wait_seconds = 0 }, workshop, signal) => {
    const asked = await found(workshop, name);
    if (!asked.ok) return asked;
    const known = await waitForMore(asked.host, asked.found.known, {
      isThere: ({ facts }) => buildTimeline(facts).length !== since,
      waitMs: wait_seconds * 1_000,
      signal,
    });
    const all = buildTimeline(known.facts);
    const from = Math.min(since, all.length); // a number of another run would be beyond all that comes
    const events = all.slice(from, from + MOST_EVENTS);
    return masked(asked, {
      run: known.run,
      events: events.map(({ at, task, text }) => ({ at: new Date(at).toISOString(), task, text })),
      next: from + events.length,
      has_ended: known.state.ended !== null,
      status: findStatus(known.state, known.driver !== null),
      is_running: known.driver !== null,
    });
  },
});

export const acted = z.object({
  run: z.string(),
  how: z
    .enum(["asked", "started", "done"])
    .describe("asked: the running process does it; started: a process was started for it."),
});

/** The same for everything that is asked of a run. */
export async function act(
  workshop: Workshop,
  name: string | undefined,
  action: (found: FoundRun) => OrRefusal<{ action: AskedAction }>,
) {
  const asked = await found(workshop, name);
  if (!asked.ok) return asked;
  const wanted = action(asked.found);
  if (!wanted.ok) return wanted;
  const done = await actOnRun(asked.host, asked.found, wanted.action, workshop.program);
  if (!done.ok) return name === undefined ? withRuns(asked.host, done) : done;
  return { ok: true, answer: { run: asked.found.known.run, how: done.acted.how } } as const;
}

const always = (action: AskedAction) => () => ({ ok: true, action }) as const;

const runStop = tool({
  name: "run_stop",
  title: "Stop a run",
  description:
    "Stops a run once its running attempts finish; with `now` interrupts and saves them within seconds. run_resume continues it.",
  input: z.strictObject({
    run,
    now: z.boolean().optional().describe("Interrupt and save running attempts."),
  }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: true },
  act: async ({ run: name, now = false }, workshop) =>
    act(workshop, name, always({ kind: "stop", mode: now ? "stop" : "drain" })),
});

const runResume = tool({
  name: "run_resume",
  title: "Resume a run",
  description:
    "Continues a stopped, interrupted or incomplete run in the background and retries failed tasks. Lands at the end if the run was started that way.",
  input: z.strictObject({ run }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  act: async ({ run: name }, workshop) => act(workshop, name, always({ kind: "resume" })),
});

const names = z.array(z.string().min(1)).max(100);

const runLand = tool({
  name: "run_land",
  title: "Land a run",
  description:
    "Lands the merged tasks of a run, even if not all tasks are merged. Gates run first. Each option overrides the one the run was started with.",
  input: z.strictObject({
    run,
    as: z
      .enum(["rebase", "merge", "squash"])
      .exactOptional()
      .describe("rebase: one commit per task; squash: one commit for all."),
    onto: z.string().min(1).optional().describe("Branch to land on (default: the run's target branch)."),
    publish: z
      .enum(["no", "push", "pull-request", "pull-request-per-task"])
      .exactOptional()
      .describe("push: also push the branch. pull-request: open one with gh instead of landing."),
    draft: z.literal(true).exactOptional().describe("Open the pull request as a draft."),
    reviewers: names.exactOptional().describe("Reviewers of the pull request."),
    labels: names.exactOptional().describe("Labels of the pull request."),
    sign: z.literal(true).exactOptional().describe("Sign the commits that land."),
    signoff: z.literal(true).exactOptional().describe("Add Signed-off-by to the commits that land."),
  }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  act: async ({ run: name, onto, ...options }, workshop) =>
    act(workshop, name, always({ kind: "land", ...options, ...(onto && { target: onto }) })),
});

export const runTools: readonly Tool[] = [runStatus, runEvents, runStop, runResume, runLand];
