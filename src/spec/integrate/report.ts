import type { CodePlace, ContractVerdict, IntegrationFinding } from "./finding.ts";
import type { IntegratedRequirement } from "./requirements.ts";

/** What was looked at, and what was seen: the one model behind integration-report.md, integration-report.json and the terminal. */
export type IntegrationReport = {
  /** ISO time. */
  readonly generatedAt: string;
  readonly subject: IntegrationSubject;
  readonly judged: JudgedTree;
  readonly tasks: readonly IntegratedTask[];
  /** Null: there is no contract of this sort. */
  readonly types: readonly ReportedVerdict[] | null;
  readonly endpoints: readonly ReportedVerdict[] | null;
  /** Null: the tasks do not say what they cover, or the documents have no requirements. */
  readonly requirements: readonly IntegratedRequirement[] | null;
  /** Null: no agent was asked. */
  readonly techSpec: SpecReview | null;
  /** Null: not asked for. */
  readonly checks: readonly CheckResult[] | null;
  /** All of them, those of verdicts too, in the order of the areas; those of one cause are one. */
  readonly findings: readonly IntegrationFinding[];
  /** Areas of which most is unclear, each as a clause; a gate of a run has none, since tasks are still missing there. */
  readonly unknown: readonly string[];
  /** The user accepts that. */
  readonly allowUnknown: boolean;
};

/** With whose each finding is. */
export type ReportedVerdict = ContractVerdict<IntegrationFinding>;

export type IntegrationSubject = {
  readonly plan: string;
  /** The artefact folder, or the plan file, from the root of the repository. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly prd: string | null;
  readonly techSpecId: string | null;
  readonly techSpec: string | null;
};

/** `landed`: the branch that the run landed on, as it is now; `integration`: the branch of the run; `folder`: the files as they lie there. */
export type JudgedTree = {
  readonly kind: "landed" | "integration" | "folder";
  /** The branch, or null where it is none. */
  readonly ref: string | null;
  readonly commit: string | null;
  readonly run: string | null;
};

export type IntegratedTask = {
  readonly task: string;
  readonly title: string;
  readonly wave: number | null;
  readonly status: "merged" | "not-merged" | "no-commits" | "changes-nothing";
  /** Its own, the oldest first, and how it came in. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  readonly files: number;
  /** Where its commits are known from: the journal of a run, trailers of commits, a branch of its name. */
  readonly from: "run" | "trailers" | "branch" | null;
  /** A step such as installing packages; left out for tasks of the plan. */
  readonly isStep?: true;
};

/** An agent's opinion; it never blocks. */
export type SpecReview = {
  readonly agent: string;
  readonly model: string | null;
  readonly costUsd: number | null;
  readonly sections: readonly ReviewedSection[];
};

export type ReviewedSection = {
  readonly section: string;
  readonly status: "met" | "deviates" | "unclear";
  /** Sentences of the tech spec that support the status; plait found each in the text. */
  readonly sentences: readonly { readonly text: string; readonly line: number }[];
  /** The deviation, or why it is unclear; empty if it is met. */
  readonly text: string;
  readonly places: readonly CodePlace[];
};

export type CheckKind = "tests" | "types" | "lint" | "build" | "migrations";

export type StackCheck = {
  readonly name: string;
  readonly kind: CheckKind;
  /** As it is typed in a shell, at the root of the tree. */
  readonly run: string;
};

export type CheckResult = StackCheck & {
  readonly status: "green" | "red" | "not-run";
  /** One line: why it is red or was not run; of a green one, what it counted. */
  readonly summary: string;
  /** As the program itself counted; null where it does not. */
  readonly counts: { readonly passed: number; readonly failed: number; readonly skipped: number } | null;
  readonly durationMs: number;
  /** The end of what it printed, masked. */
  readonly output: string;
};

/** Steps are not counted. `done`: merged, or nothing to merge. */
export function countTasks({ tasks }: Pick<IntegrationReport, "tasks">): { done: number; all: number } {
  const listed = tasks.filter(({ isStep }) => isStep !== true);
  const done = listed.filter(({ status }) => status === "merged" || status === "changes-nothing");
  return { done: done.length, all: listed.length };
}

/** Nothing blocks, and enough is known to say so: exit code 0. */
export function isGreen(report: Pick<IntegrationReport, "findings" | "unknown" | "allowUnknown">): boolean {
  return !isBlocked(report) && (report.allowUnknown || report.unknown.length === 0);
}

/** Something blocks: exit code 1. */
export function isBlocked({ findings }: Pick<IntegrationReport, "findings">): boolean {
  return findings.some(({ weight }) => weight === "must");
}
