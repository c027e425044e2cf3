import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { replay } from "../../../src/core/evolve.ts";
import type { Fact } from "../../../src/core/facts.ts";
import type { RunId } from "../../../src/core/ids.ts";
import type { RunState } from "../../../src/core/run-state.ts";
import { runSummary } from "../../../src/core/select/overview.ts";
import { type RunsDocument, type Session, WIRE_VERSION } from "../../../src/report/page/wire.ts";

/** A run that the page may ask for: its facts, and when it is now. */
export type ServedRun = { readonly state: RunState; readonly facts: readonly Fact[]; readonly now: number };

export type Told = {
  readonly runs: readonly ServedRun[];
  readonly damaged?: RunsDocument["damaged"];
  /** More runs that are only listed. */
  readonly listed?: RunsDocument["runs"];
};

const ORIGIN = "http://localhost:4999";

const built = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../dist/ui/${name}`, import.meta.url)), "utf8");

/**
 * Answers for a server, so that the page finds runs that never were: what it loads, the list, and the facts of each run.
 * Gives the address. What is told may change between two questions.
 */
export async function serveRuns(page: Page, told: () => Told): Promise<string> {
  const session: Session = {
    v: WIRE_VERSION,
    version: "1.0.0",
    repository: { name: "shop", path: "/shop" },
    run: null,
    canAct: true,
  };
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const json = (body: unknown) => route.fulfill({ json: body });
    if (pathname === "/") return route.fulfill({ contentType: "text/html", body: built("index.html") });
    if (pathname === "/api/session") return json(session);
    if (pathname === "/api/runs") return json(listOf(told()));
    const run = told().runs.find(({ state }) => pathname === `/api/runs/${state.run}/facts`);
    if (run !== undefined) {
      const headers = await route.request().allHeaders();
      const since = Number(headers["last-event-id"] ?? -1) + 1;
      return route.fulfill({ contentType: "text/event-stream", body: streamOf(run, since) });
    }
    if (pathname.startsWith("/api/"))
      return route.fulfill({ status: 404, json: { message: "no", hint: "" } });
    const contentType = pathname.endsWith(".css") ? "text/css" : "text/javascript";
    return route.fulfill({ contentType, body: built(pathname.slice(1)) });
  });
  return ORIGIN;
}

function listOf({ runs, listed = [], damaged = [] }: Told): RunsDocument {
  const summaries = runs.map(({ state, now }) => runSummary(state, now, state.ended === null));
  return { runs: [...summaries, ...listed], damaged };
}

/** The past of a run, up to now. */
function streamOf({ state, facts, now }: ServedRun, since: number): string {
  const event = (kind: string, data: unknown, id = "") =>
    `event: ${kind}\n${id}data: ${JSON.stringify(data)}\n\n`;
  const told = facts
    .slice(since)
    .map((fact, i) => event("fact", { n: since + i, fact }, `id: ${since + i}\n`));
  return [...told, event("clock", { isRunning: state.ended === null, now }), event("live", {})].join("");
}

/** The same story under another name, some days before. */
export function daysBefore(told: Pick<ServedRun, "facts" | "now">, name: string, days: number): ServedRun {
  const ms = days * 24 * 3_600_000;
  const facts = told.facts.map((fact): Fact => {
    const at = fact.at - ms;
    return fact.type === "run.started" ? { ...fact, at, run: name as RunId } : { ...fact, at };
  });
  const state = replay(facts);
  if (state === null) throw new Error("the run did not start");
  return { state, facts, now: told.now - ms };
}
