import { groupBy } from "../core/group-by.ts";
import { formatAttemptNumber } from "../core/select/attempt-number.ts";
import { formatRunWord } from "../core/select/run-status-text.ts";
import type { StatusKind } from "../core/select/task-status.ts";
import { leastDollars } from "../core/select/totals.ts";
import { elapsed } from "../core/text/figures.ts";
import { plainText } from "../core/text/sentence.ts";
import { xmlAttribute, xmlText } from "../util/xml-text.ts";
import type { AttemptReport, GateVerdict, RunReport, TaskReport } from "./model.ts";
import { PLACES, verdictText } from "./report-text.ts";

/**
 * The report for CI systems that show tests: a suite for the run, in it a case for the run itself, for each task, and for each gate of
 * each task. Names say nothing that differs from run to run, so that two pipelines can be compared. It has a failure exactly
 * where something failed for good: a gate that was red and then mended is green, and says so.
 */
export function junitReport(report: RunReport): string {
  const cases = [
    runCase(report),
    ...report.baseGates.map((verdict) => baseCase(report, verdict)),
    ...report.tasks.flatMap((task) => [taskCase(report, task), ...gateCases(report, task)]),
    ...landingCases(report),
  ];
  const counts = [
    ["tests", cases.length],
    ["failures", cases.filter(({ result }) => result.kind === "failure").length],
    ["errors", 0],
    ["skipped", cases.filter(({ result }) => result.kind === "skipped").length],
  ] as const;
  const figures = counts.map(([name, n]) => `${name}="${n}"`).join(" ");
  const time = `time="${seconds(report.times.wallMs)}"`;
  const started = new Date(report.startedAt).toISOString().slice(0, 19);
  const name = xmlAttribute(report.plan.name);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${figures} ${time}>`,
    ` <testsuite name="${name}" package="plait" id="0" ${figures} ${time} timestamp="${started}" hostname="localhost">`,
    "  <properties>",
    ...properties(report).map(
      ([key, value]) => `   <property name="plait.${key}" value="${xmlAttribute(value)}"/>`,
    ),
    "  </properties>",
    ...cases.map(caseText),
    `  <system-out>${xmlText(plainText(report.text))}</system-out>`,
    `  <system-err>${xmlText(report.leftOut.join("\n"))}</system-err>`,
    " </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

type Case = {
  readonly name: string;
  readonly group: string;
  readonly ms: number;
  readonly result: Result;
};

type Result =
  /** `notes`: what there is to know about it all the same. */
  | { readonly kind: "passed"; readonly notes: readonly string[] }
  | {
      readonly kind: "failure";
      readonly type: string;
      readonly message: string;
      readonly text: readonly string[];
    }
  | { readonly kind: "skipped"; readonly message: string };

function properties(report: RunReport): [string, string][] {
  const { run, plan, status, exit, text, base, target, landing, cost } = report;
  return [
    ["run", run],
    ["plan", plan.path],
    ["status", formatRunWord(status)],
    ["text", plainText(text)],
    ["base", base.commit],
    ["cost-usd", cost.isPartial && !cost.isReported ? "not reported" : leastDollars(cost).replace("$", "")],
    ...(exit === null ? [] : ([["exit-code", String(exit)]] as [string, string][])),
    ...(target === null ? [] : ([["target", target]] as [string, string][])),
    ...(landing.kind === "landed" ? ([["landed", landing.to.commit]] as [string, string][]) : []),
  ];
}

/** Whatever keeps the run from exit 0, so that no pipeline takes it for a good one. */
function runCase(report: RunReport): Case {
  const { plan, times, isRunning, status, text, exit, needsYou } = report;
  const result: Result = isRunning
    ? { kind: "skipped", message: plainText(text) }
    : exit === 0
      ? { kind: "passed", notes: report.remarks }
      : {
          kind: "failure",
          type: status.kind,
          message: plainText(text),
          text: needsYou.map((need) => need.text),
        };
  return { name: "the run", group: plan.name, ms: times.wallMs, result };
}

function taskCase({ plan }: RunReport, task: TaskReport): Case {
  const { times, title } = task;
  const name = title === task.task ? task.task : `${task.task}: ${title}`;
  return { name, group: plan.name, ms: times.agentMs + times.gatesMs, result: taskResult(task) };
}

const DONE: ReadonlySet<StatusKind> = new Set(["merged", "passed"]);

function taskResult({ status, note, attempts, output, message }: TaskReport): Result {
  if (DONE.has(status))
    return { kind: "passed", notes: attempts.length > 1 ? attempts.map(attemptText) : [] };
  if (status !== "failed") return { kind: "skipped", message: note === null ? status : `${status}: ${note}` };
  return {
    kind: "failure",
    type: attempts.at(-1)?.failure?.reason ?? "failed",
    message: note ?? "failed",
    text: [...attempts.map(attemptText), ...(output ?? message ?? "").split("\n")],
  };
}

function attemptText(attempt: AttemptReport): string {
  const { n, author, endedAt, failure, agentMs } = attempt;
  const how = endedAt === null ? "running" : failure === null ? "green" : failure.text;
  if (author === "person") return `attempt #${n}, by a person: ${how}`;
  return `attempt ${formatAttemptNumber(attempt)}, ${elapsed(agentMs)}: ${how}`;
}

/** One for each gate at each place: the last verdict counts, and those before it are told. */
function gateCases({ plan }: RunReport, task: TaskReport): Case[] {
  const verdicts = task.attempts.flatMap(({ n, gates }) => gates.map((verdict) => ({ n, verdict })));
  const byGate = groupBy(verdicts, ({ verdict: { name, on } }) => `${name}, ${PLACES[on]}`);
  return [...byGate].map(([name, judged]) => {
    const last = judged.at(-1) as (typeof judged)[number]; // it was made for one
    const told = judged.map(({ n, verdict }) => `attempt #${n}: ${verdictText(verdict)}`);
    return {
      ...{ name, group: `${plan.name}.${task.task}` },
      ms: judged.reduce((sum, { verdict }) => sum + verdict.durationMs, 0),
      result: verdictResult(last.verdict, told, task),
    };
  });
}

function verdictResult(verdict: GateVerdict, told: readonly string[], task: TaskReport): Result {
  if (verdict.verdict === "green") {
    const isPlain = told.length === 1 && verdict.runs <= 1 && verdict.how === "ran";
    return { kind: "passed", notes: isPlain ? [] : told };
  }
  // Work that was taken has passed all that it had to; this was asked of a tree that did not count.
  if (DONE.has(task.status))
    return { kind: "skipped", message: `${verdictText(verdict)}; merged without it` };
  const isWhy = task.attempts.at(-1)?.failure?.reason === "gate";
  const output = isWhy ? (task.output ?? "").split("\n") : [];
  return { kind: "failure", type: "gate", message: verdict.summary, text: [...told, ...output] };
}

function baseCase({ plan, status }: RunReport, verdict: GateVerdict): Case {
  const text = verdictText(verdict);
  const result: Result =
    verdict.verdict === "green"
      ? { kind: "passed", notes: [] }
      : "obstacle" in status && status.obstacle?.kind === "red-base"
        ? { kind: "failure", type: "gate", message: verdict.summary, text: [text] }
        : { kind: "skipped", message: `${text}; accepted as known red` };
  return {
    name: `${verdict.name}, ${PLACES.base}`,
    group: `${plan.name}.base`,
    ms: verdict.durationMs,
    result,
  };
}

/** A landing may be tried more than once; the last time counts. */
function landingCases({ plan, landingGates }: RunReport): Case[] {
  const last = new Map(landingGates.map((verdict) => [verdict.name, verdict]));
  return [...last.values()].map((verdict) => ({
    name: `${verdict.name}, ${PLACES.landing}`,
    group: `${plan.name}.landing`,
    ms: verdict.durationMs,
    result:
      verdict.verdict === "green"
        ? { kind: "passed", notes: verdict.runs > 1 ? [verdictText(verdict)] : [] }
        : { kind: "failure", type: "gate", message: verdict.summary, text: [verdictText(verdict)] },
  }));
}

function caseText({ name, group, ms, result }: Case): string {
  const head = `  <testcase name="${xmlAttribute(name)}" classname="${xmlAttribute(group)}" time="${seconds(ms)}"`;
  switch (result.kind) {
    case "passed":
      return result.notes.length === 0
        ? `${head}/>`
        : `${head}>\n   <system-out>${xmlText(result.notes.join("\n"))}</system-out>\n  </testcase>`;
    case "skipped":
      return `${head}>\n   <skipped message="${xmlAttribute(result.message)}"/>\n  </testcase>`;
    case "failure": {
      const why = `message="${xmlAttribute(result.message)}" type="${xmlAttribute(result.type)}"`;
      return `${head}>\n   <failure ${why}>${xmlText(result.text.join("\n"))}</failure>\n  </testcase>`;
    }
  }
}

const seconds = (ms: number): string => (Math.max(0, ms) / 1_000).toFixed(3);
