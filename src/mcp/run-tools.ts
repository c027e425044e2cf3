import * as z from "zod";
import {
  actOnRun,
  type FoundRun,
  findRun,
  type Host,
  type OrRefusal,
  type Refused,
  refuse,
  repositoryOfRuns,
  runFiles,
  statusDocument,
  statusOf,
} from "../app/index.ts";
import { maskTexts } from "../app/mask-texts.ts";
import { runMask } from "../app/run-mask.ts";
import { latestRuns } from "../app/runs.ts";
import type { RunAction } from "../core/run-action.ts";
import { momentsOf } from "../report/moments.ts";
import { type Tool, tool, type Workshop } from "./tool.ts";
import { waitForMore } from "./wait.ts";

/** Runs as a whole: how far they are, what happened, and what may be asked of them. */

export const run = z
  .string()
  .min(1)
  .optional()
  .describe("The run, or how its name begins; without it the latest of this repository.");

type Asked = { readonly host: Host; readonly found: FoundRun };

/** The run that is meant, and who asks. */
export async function found(
  { host: hostFor }: Workshop,
  name: string | undefined,
): Promise<OrRefusal<Asked>> {
  const asked = await hostFor("plait mcp");
  if (!asked.ok) return asked;
  const known = await findRun(asked.host, name ?? null);
  return known.ok ? { ok: true, host: asked.host, found: known } : withRuns(asked.host, known);
}

const MOST_RUNS = 20;

/** No tool lists runs: a refusal that may be about the wrong one says which there are. */
async function withRuns(host: Host, refused: Refused): Promise<Refused> {
  const { kind, message, hint } = refused.refusal;
  const runs = await runsHere(host);
  if (runs.length === 0) return refused;
  const names = runs.map(({ run: name }) => name).join(", ");
  return refuse(kind, message, `${hint}; runs here, the latest first: ${names}`);
}

async function runsHere(host: Host): Promise<{ run: string; outcome: string | null; is_driven: boolean }[]> {
  const place = await repositoryOfRuns(host);
  if (!place.ok) return [];
  const { runs } = await latestRuns(place.repository, MOST_RUNS);
  return runs.map(({ run: name, state, driver }) => ({
    ...{ run: name, outcome: state.ended?.outcome ?? null, is_driven: driver !== null },
  }));
}

/** What lies in git, in paths and in names may hold what the environment or the plan must not show (I13). */
export async function masked<T>(asked: Asked, answer: T): Promise<{ ok: true; answer: T }> {
  return { ok: true, answer: maskTexts(answer, await maskOf(asked)) };
}

export const maskOf = ({ host, found: of }: Asked) =>
  runMask(host, { repository: of.repository, folder: of.known.folder });

const runStatus = tool({
  name: "run_status",
  title: "Look at a run",
  says: "How far a run is: tasks with state, attempts, cost and the reason where one waits or failed; what to do next; and which runs there are.",
  input: z.strictObject({ run }),
  output: z
    .object({
      run: z.string(),
      outcome: z
        .string()
        .nullable()
        .describe(
          "How it ended; null while it has not. Only `complete` means that all is done, green and, unless `land: never`, landed.",
        ),
      driver: z
        .object({ pid: z.int(), host: z.string() })
        .nullable()
        .describe("Who drives it; null: nobody."),
      progress: z.object({ total: z.int(), done: z.int(), needYou: z.array(z.string()) }).loose(),
      tasks: z.array(z.object({ task: z.string(), shown: z.string(), note: z.string().nullable() }).loose()),
      next: z.array(z.string()).describe("Commands that go on from here."),
      runs: z
        .array(z.object({ run: z.string(), outcome: z.string().nullable(), is_driven: z.boolean() }))
        .describe(`The runs of this repository, the latest first, at most ${MOST_RUNS}.`),
    })
    .loose(),
  hints: { readOnly: true },
  act: async ({ run: name }, workshop) => {
    const asked = await found(workshop, name);
    if (!asked.ok) return asked;
    const { known } = asked.found;
    const seen = await statusOf(known);
    const status = statusDocument(known, seen, await runFiles(known.folder.path, seen.state));
    const answer: object = { ...status, runs: await runsHere(asked.host) };
    return masked(asked, JSON.parse(JSON.stringify(answer)));
  },
});

const MOST_EVENTS = 500;
const LONGEST_WAIT_S = 50;

const runEvents = tool({
  name: "run_events",
  title: "Hear what happens in a run",
  says: "What happened in a run since a number, in words, oldest first. With wait_seconds it answers when there is more, or the run is over, or the time is up: ask again with `next`, until has_ended or not is_driven.",
  input: z.strictObject({
    run,
    since: z
      .int()
      .min(0)
      .optional()
      .describe("The `next` of the last answer; without it from the beginning."),
    wait_seconds: z.int().min(0).max(LONGEST_WAIT_S).optional().describe("How long to wait for more."),
  }),
  output: z.object({
    run: z.string(),
    events: z.array(z.object({ at: z.string(), task: z.string().nullable(), says: z.string() })),
    next: z.int(),
    has_ended: z.boolean(),
    outcome: z.string().nullable(),
    is_driven: z.boolean().describe("False: nobody drives it, so nothing more will come until run_resume."),
  }),
  hints: { readOnly: true },
  act: async ({ run: name, since = 0, wait_seconds = 0 }, workshop, signal) => {
    const asked = await found(workshop, name);
    if (!asked.ok) return asked;
    const known = await waitForMore(asked.host, asked.found.known, {
      isThere: ({ facts }) => momentsOf(facts).length !== since,
      waitMs: wait_seconds * 1_000,
      signal,
    });
    const all = momentsOf(known.facts);
    const from = Math.min(since, all.length); // a number of another run would be beyond all that comes
    const events = all.slice(from, from + MOST_EVENTS);
    return masked(asked, {
      run: known.run,
      events: events.map(({ at, task, says }) => ({ at: new Date(at).toISOString(), task, says })),
      next: from + events.length,
      has_ended: known.state.ended !== null,
      outcome: known.state.ended?.outcome ?? null,
      is_driven: known.driver !== null,
    });
  },
});

export const acted = z.object({
  run: z.string(),
  how: z
    .enum(["asked", "started", "done"])
    .describe("asked: its driver does it; started: a driver was started for it."),
});

/** The same for everything that is asked of a run. */
export async function act(
  workshop: Workshop,
  name: string | undefined,
  action: (found: FoundRun) => OrRefusal<{ action: RunAction }>,
) {
  const asked = await found(workshop, name);
  if (!asked.ok) return asked;
  const wanted = action(asked.found);
  if (!wanted.ok) return wanted;
  const done = await actOnRun(asked.host, asked.found, wanted.action, workshop.program);
  if (!done.ok) return name === undefined ? withRuns(asked.host, done) : done;
  return { ok: true, answer: { run: asked.found.known.run, how: done.acted.how } } as const;
}

const always = (action: RunAction) => () => ({ ok: true, action }) as const;

const runStop = tool({
  name: "run_stop",
  title: "Stop a run",
  says: "Lets the attempts of a run end and starts no more; with `now` ends and saves them within seconds. run_resume goes on.",
  input: z.strictObject({
    run,
    now: z.boolean().optional().describe("End what is under way, instead of letting it end."),
  }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: true },
  act: async ({ run: name, now = false }, workshop) =>
    act(workshop, name, always({ kind: "stop", mode: now ? "stop" : "drain" })),
});

const runResume = tool({
  name: "run_resume",
  title: "Go on with a run",
  says: "Goes on with a run that was stopped or cut off, in the background; what failed at its end is tried again. Like run_start it lands at the end, unless it was started with `land: never`.",
  input: z.strictObject({ run }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: true },
  act: async ({ run: name }, workshop) => act(workshop, name, always({ kind: "resume" })),
});

const runLand = tool({
  name: "run_land",
  title: "Land a run",
  says: "Lands what a run has merged on the branch that it was started on, also where not everything is merged. Gates are asked before.",
  input: z.strictObject({ run }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: true },
  act: async ({ run: name }, workshop) => act(workshop, name, always({ kind: "land" })),
});

export const runTools: readonly Tool[] = [runStatus, runEvents, runStop, runResume, runLand];
