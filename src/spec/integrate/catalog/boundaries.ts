import { type FixPlace, formatFile, type IntegrationCatalog } from "./entry.ts";

/** A change that a task should not have made. */
export type BoundaryChange = {
  /** What is wrong with the path or the part: `ownership/finding.ts`. */
  readonly detail: string;
  readonly symbol: string | null;
  readonly owner: string | null;
  readonly isDeleted: boolean;
  /** The file, or the part, is as it was before. */
  readonly isReverted?: boolean;
  /** A part of the commit names no task, so a person may have made the change. */
  readonly isPersonPossible?: boolean;
};

function formatChange(params: Omit<BoundaryChange, "symbol">): string {
  const { detail, owner, isDeleted } = params;
  const what = isDeleted ? `deleted the file: ${detail}` : detail;
  return `${what}${owner === null ? "" : `; \`${owner}\` owns it`}${formatDoubts(params)}`;
}

function formatDoubts({ isReverted, isPersonPossible }: Partial<BoundaryChange>): string {
  if (isReverted === true) return "; reverted since";
  return isPersonPossible === true ? "; a part of the commit that names no task may have done this" : "";
}

const formatRevert =
  (otherwise: string) =>
  ({ at, symbol, owner, isDeleted, isReverted }: BoundaryChange & FixPlace): string => {
    if (isReverted === true) return "Nothing to do: the change is reverted";
    const file = at === null ? "the file" : `\`${at.file}\``;
    const what = symbol === null ? file : `\`${symbol}\` in ${file}`;
    const revert = isDeleted ? `Restore ${what}` : `Revert the change to ${what}`;
    return owner === null ? `${revert}${otherwise}` : `${revert}, which \`${owner}\` owns`;
  };

type ChangedContract = Pick<BoundaryChange, "isReverted" | "isPersonPossible"> & {
  readonly change: "added" | "modified" | "deleted";
};

type UnclearScope =
  | ({ readonly kind: "change" } & Pick<BoundaryChange, "detail" | "owner" | "isDeleted">)
  /** The commits of a task are not all known. */
  | { readonly kind: "commits"; readonly reason: string }
  | { readonly kind: "no-owns" };

export const boundaryCatalog = {
  "outside-scope": {
    ...{ area: "boundaries", severity: "error" },
    title: "Task changed a file it does not own",
    explanation:
      "A task may change only the files in its CREATE and MODIFY lists (in plans: `owns`). The finding names the task that owns the file, if there is one.",
    message: formatChange,
    hint: formatRevert(", or add it to the task's scope"),
  },
  "inside-boundary": {
    ...{ area: "boundaries", severity: "error" },
    title: "Task changed a file inside its boundary",
    explanation: "The path matches the task's BOUNDARY (in plans: `boundary`).",
    message: formatChange,
    hint: formatRevert(""),
  },
  "contract-changed": {
    ...{ area: "boundaries", severity: "error" },
    title: "Task changed a contract",
    explanation:
      "Tasks rely on contracts that do not change during the work. Change a contract by hand, then run the tasks that depend on it again.",
    message: ({ change, ...doubts }: ChangedContract) =>
      `${change} a contract that other tasks rely on${formatDoubts(doubts)}`,
    hint: ({ isReverted, ...place }: ChangedContract & FixPlace) =>
      isReverted === true
        ? "Nothing to do: the change is reverted"
        : `Revert the change to ${formatFile(place)}, and make the code match the contract`,
  },
  "outside-symbol": {
    ...{ area: "boundaries", severity: "error" },
    title: "Task changed code it does not own",
    explanation:
      "The task owns one class, function, method or name of the file (`path::Name`), and changed something else in it. Imports, moved code and whitespace do not count.",
    example: "- MODIFY: app/services/stock.py::availability",
    // The detail of a deleted file names the lost parts.
    message: (params: BoundaryChange) => formatChange({ ...params, isDeleted: false }),
    hint: formatRevert(""),
  },
  "guarded-changed": {
    ...{ area: "boundaries", severity: "error" },
    title: "Task changed a protected file",
    explanation:
      "CI files, git hooks, lockfiles, agent settings and gate scripts decide how work is checked, or run automatically. A task may change them only if it owns the file by name, or the plan allows it with `consent`. It blocks if the task does not own the file at all, or with `enforce: fail`.",
    example: "- MODIFY: package-lock.json",
    message: formatChange,
    hint: ({ isOutside, ...change }: BoundaryChange & FixPlace & { isOutside?: boolean | undefined }) =>
      formatRevert(isOutside === true ? "" : ", or name the file in the task's scope")(change),
  },
  "scope-unclear": {
    ...{ area: "boundaries", severity: "note" },
    title: "Unclear whether a change is in scope",
    explanation:
      "plait cannot evaluate a pattern, or cannot parse the file, or does not know all commits of the task. Only paths were checked.",
    message: (params: UnclearScope) => {
      if (params.kind === "no-owns")
        return "no task has `owns` or `boundary`, so boundaries were not checked";
      if (params.kind === "commits") return `unclear what the task changed: ${params.reason}`;
      return formatChange(params);
    },
    hint: (place: FixPlace) =>
      place.at === null
        ? `Review the changes of \`${place.about}\` by hand`
        : `Review the change to ${formatFile(place)} by hand`,
  },
} as const satisfies IntegrationCatalog;
