// A state has one word, the same for people and for programs: what terminal, web UI, reports, JSON and traces show in the states of
// simulated runs is compared with the one list.
import { describe, expect, it } from "vitest";
import { statusDocument } from "../../src/app/status-of.ts";
import { glyphs } from "../../src/cli/render/glyphs.ts";
import { plainText } from "../../src/cli/render/line.ts";
import { statusLines } from "../../src/cli/render/status.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { overview, runSummary } from "../../src/core/select/overview.ts";
import { formatRunWord } from "../../src/core/select/run-status-text.ts";
import { markdownReport } from "../../src/report/markdown.ts";
import { runReport } from "../../src/report/run-report.ts";
import { spansOf } from "../../src/report/trace/spans.ts";
import { runSeed } from "../sim/run.ts";
import { NOTHING } from "../support/night.ts";
import { RUN_STATE_KINDS, RUN_STATE_WORDS, TASK_STATE_WORDS } from "./state-words.ts";

const SEEDS = 12;
const EVERY = 40;

type Seen = { readonly facts: readonly Fact[]; readonly state: RunState; readonly isRunning: boolean };

/** Some moments of each run, with and without its process. */
function* listMoments(): Generator<Seen> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { facts } = runSeed(seed);
    let state: RunState | null = null;
    for (const [n, fact] of facts.entries()) {
      state = evolve(state, fact);
      if (state === null || (n % EVERY !== EVERY - 1 && n !== facts.length - 1)) continue;
      for (const isRunning of state.ended === null ? [true, false] : [false])
        yield { facts: facts.slice(0, n + 1), state, isRunning };
    }
  }
}

const driver = { pid: 42, host: "here", at: "now", startedAt: null } as never;

/** The second column, below the head and above the first empty line. */
function listTerminalWords({ state, isRunning }: Seen): string[] {
  const view = { state, now: state.clock, driver: isRunning ? driver : null, activity: new Map() };
  const lines = statusLines(view, { width: 200, glyphs: glyphs.unicode }).map((line) => plainText(line));
  const table = lines.slice(lines.findIndex((line) => /^ {2}task +state /.test(line)) + 1);
  const rows = table.slice(0, Math.max(0, table.indexOf("")));
  return rows.map((line) => line.slice(2).split(/ {2,}/)[1] ?? line);
}

function listDocumentWords({ state, isRunning }: Seen) {
  const known = { run: state.run, folder: { path: "/run" } } as never;
  const files = { report: null, artifacts: null, reports: [], changed: [] };
  const seen = { state, now: state.clock, activity: new Map(), driver: isRunning ? driver : null };
  const { status, tasks, progress } = statusDocument(known, seen, files);
  return {
    run: [status.kind],
    tasks: [...tasks.map((task) => task.status), ...Object.keys(progress.counts)],
  };
}

function listReportWords({ facts, state, isRunning }: Seen) {
  const input = { facts, state, now: state.clock, isRunning, folder: "/run", landed: null, beside: NOTHING };
  const report = runReport(input);
  const rows = markdownReport(report).match(/^\| `[^|]*` \| [^|]+ \|/gm) ?? [];
  const shown = rows.map((row) => row.split(" | ")[1]?.replace(/ \|$/, "") ?? row);
  const tasks = report.tasks.map(({ status }) => status);
  return { run: [report.status.kind], tasks: [...tasks, ...shown.slice(0, tasks.length)] };
}

function listTraceWords({ facts, state, isRunning }: Seen) {
  const spans = spansOf(facts, state, isRunning).map(({ attributes }) => attributes);
  const list = (key: string) => spans.flatMap((one) => (key in one ? [String(one[key])] : []));
  return { run: list("plait.status"), tasks: list("plait.task.status") };
}

describe("words for states", () => {
  let terminal = 0;
  const found = { kinds: new Set<string>(), words: new Set<string>(), tasks: new Set<string>() };
  for (const seen of listMoments()) {
    const { state, isRunning } = seen;
    const { rows } = overview(state, state.clock, { isRunning });
    const { status } = runSummary(state, state.clock, isRunning);
    found.words.add(formatRunWord(status));
    const all = [listDocumentWords(seen), listReportWords(seen), listTraceWords(seen)];
    for (const kind of [status.kind, ...all.flatMap(({ run }) => run)]) found.kinds.add(kind);
    const drawn = listTerminalWords(seen);
    terminal += drawn.length;
    const shown = [...rows.map((row) => row.status.kind), ...drawn];
    for (const word of [...shown, ...all.flatMap(({ tasks }) => tasks)]) found.tasks.add(word);
  }

  it("of tasks are those of the list", () => {
    expect([...found.tasks].filter((word) => !TASK_STATE_WORDS.includes(word))).toEqual([]);
    expect(found.tasks.size).toBeGreaterThan(10);
    expect(terminal).toBeGreaterThan(100);
  });

  it("of runs are those of the list", () => {
    expect([...found.kinds].filter((kind) => !RUN_STATE_KINDS.includes(kind))).toEqual([]);
    expect([...found.words].filter((word) => !RUN_STATE_WORDS.includes(word))).toEqual([]);
    expect(found.kinds.size).toBeGreaterThan(5);
  });
});
