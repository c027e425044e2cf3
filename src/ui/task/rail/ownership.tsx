import { useMemo } from "preact/hooks";
import type { Finding } from "../../../core/facts.ts";
import type { TaskId } from "../../../core/ids.ts";
import { ownerSearch } from "../../../core/ownership/owner.ts";
import { claimText } from "../../../core/ownership/pattern.ts";
import { count } from "../../../core/text/figures.ts";
import { visible } from "../../parts/ansi.ts";
import { Icon, StateIcon } from "../../parts/icon.tsx";
import type { ShownTask } from "../use-task.ts";
import { type RailProps, Section } from "./section.tsx";

const MOST_OWNS = 4;

/** What the task owns, and findings about other changes. */
export function Ownership({ shown, diff }: RailProps) {
  const { task, attempt } = shown;
  const findings = attempt?.findings ?? [];
  const ownerOf = useOwner(shown);
  if (task.owns.length === 0 && findings.length === 0) return null;
  const outside = new Set(findings.map(({ path }) => path));
  const changed = diff.kind === "loaded" && diff.value.kind === "diff" ? diff.value.stat : null;
  const inside = changed?.filter(({ path }) => !outside.has(path)).length ?? null;
  const right =
    findings.length === 0 ? undefined : <b class="task-rail-warn">{count(findings.length, "finding")}</b>;
  return (
    <Section title="Ownership" right={right}>
      <ul>
        {task.owns.slice(0, MOST_OWNS).map((claim, n) => (
          <li key={claimText(claim)} class="task-rail-line row">
            <StateIcon shown="merged" />
            <span class="mono task-rail-name wrap">{claimText(claim)}</span>
            <span class="task-rail-fact push quiet">
              {n === 0 && inside !== null ? count(inside, "file") : ""}
            </span>
          </li>
        ))}
        {task.owns.length > MOST_OWNS && (
          <li class="task-rail-line row faint">and {task.owns.length - MOST_OWNS} more</li>
        )}
        {findings.map((finding) => (
          <li
            key={`${finding.kind} ${finding.path} ${finding.detail}`}
            class="task-rail-line row rail-finding"
          >
            <span class={finding.blocks ? "actor-you" : "actor-clock"}>
              <Icon sign="warning" size={14} />
            </span>
            <span class="mono task-rail-name wrap" title={finding.path}>
              {visible(shortPath(finding.path))}
            </span>
            <span
              class={`task-rail-fact push quiet ${finding.blocks ? "task-rail-bad" : "task-rail-warn"}`}
              title={finding.detail}
            >
              {describeFinding(finding, ownerOf)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Which of the other tasks owns a path. */
export function useOwner({ state, task }: ShownTask): (path: string) => TaskId | null {
  const { plan } = state.index;
  return useMemo(() => {
    const others = plan.tasks.filter(({ id, owns }) => id !== task.id && owns.length > 0);
    const search = ownerSearch(others.map(({ id, owns }) => ({ task: id, owns })));
    return (path) => search(path, null);
  }, [plan, task.id]);
}

/** `owned by money`, else the finding. */
export function describeFinding(
  { kind, path, detail }: Finding,
  ownerOf: (path: string) => TaskId | null,
): string {
  const owner = kind === "outside-claims" || kind === "unsure" ? ownerOf(path) : null;
  return owner === null ? (FINDINGS[kind] ?? detail) : `owned by ${owner}`;
}

const FINDINGS: { readonly [K in Finding["kind"]]?: string } = {
  "outside-claims": "outside owns",
  boundary: "excluded by boundary",
  guarded: "protected file",
  unsure: "unclear if owned",
  secret: "looks like a secret",
  "prepared-path": "copied by plait",
  planted: "outside the worktree",
  "read-only": "read-only task",
  unresolved: "conflict markers",
  "not-saved": "not saved",
};

/** `…/money/round.ts`. */
function shortPath(path: string): string {
  const parts = path.split("/");
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join("/")}`;
}
