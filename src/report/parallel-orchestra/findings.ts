// What a task changed that its manifest did not ask it to. It stopped nothing, and somebody should know all the same.

import { checkChange } from "../../core/ownership/change.ts";
import type { Task } from "../../core/plan.ts";
import type { PastAttempt } from "../../core/run-state.ts";
import { terminalText } from "../../util/terminal-text.ts";
import type { Result } from "./results.ts";

export type Found = { readonly kind: "read-only" | "outside-writes"; readonly path: string };

/** A manifest can consent to nothing, so of what is guarded only that counts which is not in writes. */
export function findingsOf(attempt: PastAttempt | null, { owns }: Pick<Task, "owns">): Found[] {
  return (attempt?.saved.findings ?? []).flatMap(({ kind, path }): Found[] => {
    if (kind === "read-only") return [{ kind, path }];
    const isOutside =
      kind === "outside-claims" ||
      kind === "boundary" ||
      (kind === "guarded" && checkChange(owns, [], [path]).some((found) => found.kind === "outside"));
    return isOutside ? [{ kind: "outside-writes", path }] : [];
  });
}

/** One a task. */
export function findingLines(results: readonly Result[]): string[] {
  return results.flatMap(({ id, findings, kept }) => {
    const [first] = findings;
    if (first === undefined) return [];
    if (first.kind === "outside-writes")
      return [`[${id}] changed what is not in writes: ${listed(findings)}`];
    const where = kept === null ? "" : ` (kept on ${kept}, not merged)`;
    return [`[${id}] changed files although it is read-only: ${listed(findings)}${where}`];
  });
}

const MOST_PATHS = 5;

function listed(findings: readonly Found[]): string {
  const named = findings.slice(0, MOST_PATHS).map(({ path }) => terminalText(path));
  const more = findings.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
