import { type CpoNode, type CpoWave, type CpoWord, figuresOf } from "./outline.ts";

/** What changed between two looks at a run, in the order in which it is told. */
export type CpoChange =
  | { readonly kind: "node"; readonly node: CpoNode }
  | { readonly kind: "wave"; readonly wave: CpoWave };

/** What follows from a failure for later waves is told when the waves before them are over, not in the middle of those. */
export function changes(before: readonly CpoWave[], after: readonly CpoWave[]): CpoChange[] {
  const was = new Map(before.flatMap(({ nodes }) => nodes.map((node) => [node.id, node.word] as const)));
  const wasOver = new Set(before.filter((_, i) => isOverUpTo(before, i)).map(({ number }) => number));
  return after.flatMap((wave, i): CpoChange[] => {
    const isReported = isOverUpTo(after, i);
    const isNews = isReported && !wasOver.has(wave.number);
    const told = wave.nodes.filter(({ id, word }) => {
      if (word === "SKIPPED") return isNews;
      return word !== "PENDING" && was.get(id) !== word;
    });
    const nodes = told.map((node): CpoChange => ({ kind: "node", node }));
    return isNews ? [...nodes, { kind: "wave", wave }] : nodes;
  });
}

/** It and all before it are over. */
function isOverUpTo(waves: readonly CpoWave[], i: number): boolean {
  return waves.slice(0, i + 1).every(({ status }) => status !== "pending" && status !== "running");
}

/** `  task-001: RUNNING`, as people read it. */
export function nodeText({ kind, id, word, note }: CpoNode): string {
  const name = kind === "task" ? id : kind;
  return `  ${name}: ${word}${note === null ? "" : ` (${note})`}`;
}

export const waveHead = (number: number): string => (number === 0 ? "Before the waves:" : `Wave ${number}:`);

const STATUS: { readonly [W in CpoWord]: string } = {
  PENDING: "pending",
  RUNNING: "started",
  RETRYING: "retrying",
  COMPLETED: "completed",
  FAILED: "failed",
  SKIPPED: "skipped",
  HELD: "held",
  STOPPED: "stopped",
};

/** `[PROGRESS] wave=1 task=task-001 status=completed commits=2`, as scripts read it. */
export function nodeLine({ kind, id, wave, word, error, findings }: CpoNode, commits: number | null): string {
  const about =
    kind === "task" ? `wave=${wave} task=${id}` : kind === "validation" ? `wave=${wave} ${kind}` : kind;
  const counted = word === "COMPLETED" && commits !== null && kind === "task" ? ` commits=${commits}` : "";
  const failed = word === "FAILED" || word === "RETRYING" ? ` error=${error ?? "unknown"}` : "";
  const isReported = (word === "COMPLETED" || word === "FAILED") && findings.length > 0;
  const found = isReported ? ` findings=${findings.length}` : "";
  return `[PROGRESS] ${about} status=${STATUS[word]}${counted}${failed}${found}`;
}

/** `[PROGRESS] wave=1 status=completed tasks=3/3`; what is before the waves has told of itself. */
export function waveLine({ number, status, completed, total }: CpoWave): string | null {
  return number === 0 ? null : `[PROGRESS] wave=${number} status=${status} tasks=${completed}/${total}`;
}

export function executionLine(waves: readonly CpoWave[], { isDone }: { readonly isDone: boolean }): string {
  const { wavesFailed } = figuresOf(waves);
  const before = waves.some(({ number, status }) => number === 0 && status === "failed");
  const failed = `waves_failed=${wavesFailed}${before ? " dependencies=failed" : ""}`;
  return `[PROGRESS] execution status=${isDone ? "completed" : "failed"} ${failed}`;
}

/** The last two lines, which people look for. */
export function countLines(waves: readonly CpoWave[]): string[] {
  const { completed, total, failed } = figuresOf(waves);
  return [`Completed: ${completed}/${total} tasks`, `Failed: ${failed} tasks`];
}
