import type { Catalog } from "../catalog.ts";
import { counted, listQuoted, quoted } from "../text/figures.ts";

/** Two tasks that may run in parallel. */
type Pair = { readonly first: string; readonly second: string };
type OverlapFix = {
  readonly folder: string | null;
  readonly ordering: Ordering | null;
  /** The task that owns the path alone where the other one shares it. */
  readonly unshared: string | null;
};
type Owned = { readonly task: string; readonly path: string };
/** How to make one of two tasks wait for the other. */
export type Ordering = { readonly task: string; readonly needs: string | null };

const formatOwns = ({ task, path }: Owned): string => `${quoted(task)} owns ${quoted(path)}`;
const formatCreates = ({ task, path }: Owned): string => `${quoted(task)} creates ${quoted(path)}`;
const formatFolder = (path: string): string =>
  `if ${quoted(path)} is a folder, end it with a slash: \`${path}/\``;

function formatOrdering({ task, needs }: Ordering): string {
  return needs === null
    ? `move ${quoted(task)} to a later \`wave\``
    : `add ${quoted(needs)} to the \`needs\` of ${quoted(task)}`;
}

/** Which of several reasons keeps plait from deciding. */
type Unclear =
  | ({ readonly kind: "tasks"; readonly reason: string } & Pair)
  | { readonly kind: "boundary"; readonly task: string; readonly boundary: string; readonly reason: string }
  | { readonly kind: "letters"; readonly one: Owned; readonly other: Owned }
  | { readonly kind: "too-many-tasks"; readonly most: number; readonly tasks: number }
  | { readonly kind: "too-slow"; readonly pairs: number; readonly glob: string | null };

type UnclearFix = {
  readonly folder?: string | undefined;
  readonly advice?: string | undefined;
  readonly ordering?: Ordering | null;
};

function formatUnclear(params: Unclear): string {
  switch (params.kind) {
    case "tasks":
      return `${quoted(params.first)} and ${quoted(params.second)} may overlap (${params.reason})`;
    case "boundary":
      return `unclear whether ${quoted(params.task)} owns paths in its boundary ${quoted(params.boundary)} (${params.reason})`;
    case "letters": {
      const { one, other } = params;
      return `${formatCreates(one)} and ${formatCreates(other)}, the same file on macOS and Windows`;
    }
    case "too-many-tasks":
      return `\`owns\` is compared in plans of up to ${params.most} tasks; this plan has ${params.tasks}`;
    default:
      return `${counted(params.pairs, "pair")} of globs in \`owns\` were not compared: the comparison took too long`;
  }
}

function formatUnclearFix(params: Unclear & UnclearFix): string {
  if (params.kind === "too-many-tasks") return "split the plan into several plans: `plan-1.yaml`";
  if (params.kind === "too-slow")
    return `list folders or files instead of globs like ${quoted(params.glob ?? "src/**")}`;
  if (params.kind === "letters")
    return `spell both paths the same way, and let ${quoted(params.one.task)} use \`modify\``;
  if (params.folder !== undefined) return formatFolder(params.folder);
  const advice = params.advice ?? "use plain globs like `src/**/*.ts`";
  return params.ordering ? `${advice}, or ${formatOrdering(params.ordering)}` : advice;
}

/** A glob and files that other tasks create. */
type Covered = {
  readonly task: string;
  readonly glob: string;
  readonly other: Owned;
  readonly more: number;
  /** False: the other path is a glob too. */
  readonly isNamed: boolean;
};
type CreatedTwice = Pair & { readonly path: string };

function formatCreatedTwice(params: CreatedTwice | Covered): string {
  if (!("glob" in params)) {
    return `${quoted(params.first)} and ${quoted(params.second)} both create ${quoted(params.path)}`;
  }
  const { task, glob, other, more, isNamed } = params;
  const also = more === 0 ? "" : ` (and ${more} more)`;
  const overlap = isNamed ? "covers" : "may cover files of";
  return `${quoted(task)} creates ${quoted(glob)}, which ${overlap} ${quoted(other.path)} created by ${quoted(other.task)}${also}`;
}

/** Which task may change which path. */
export const ownershipCatalog = {
  "bad-pattern": {
    severity: "error",
    title: "Invalid path or glob",
    explanation:
      "Paths start at the root of the repository, use forward slashes and stay inside it. A plain path covers itself and everything below it; globs use *, ?, **, [abc] and {a,b}. Only `owns` may end in ::symbol.",
    example: "owns: [src/api/, docs/*.md, 'src/models.py::User.save']",
    message: ({ subject, path, problem }: { subject: string; path: string; problem: string }) =>
      `${subject} ${path === "" ? "a path" : quoted(path)}, which ${problem}`,
    hint: ({ fix }: { readonly fix: string | null }) => fix,
  },
  "ownership-overlap": {
    severity: "error",
    title: "Two parallel tasks own the same path",
    explanation:
      "Neither task needs the other, so both may change the path in parallel and conflict. Narrow `owns`, or make one task need the other. If both only add lines to a file, mark it shared: owns: [{ shared: src/routes.ts }].",
    example: "- id: api\n  owns: [src/api/]\n- id: docs\n  owns: [src/api/README.md]\n  needs: [api]",
    message: ({ first, second, path }: Pair & { readonly path: string }) =>
      `${quoted(first)} and ${quoted(second)} both own ${quoted(path)} and may run in parallel`,
    hint: ({ folder, ordering, unshared }: OverlapFix) => {
      if (folder !== null) return formatFolder(folder);
      const share =
        unshared === null ? "narrow `owns`" : `mark the path \`shared\` in ${quoted(unshared)} too`;
      if (ordering !== null) return `${formatOrdering(ordering)}, or ${share}`;
      return unshared === null ? "narrow `owns` of one task" : share;
    },
    related: formatOwns,
  },
  "overlap-unclear": {
    severity: "warning",
    title: "Possible overlap between two tasks",
    explanation:
      "plait cannot decide whether two tasks own the same path: a glob uses syntax such as @(a|b), or the answer depends on whether a path is a folder or on upper and lower case. Write a plain glob, end folders with a slash, or let one task need the other. With --strict this is an error.",
    message: formatUnclear,
    hint: formatUnclearFix,
    related: ({ mode, ...owned }: Owned & { readonly mode: "owns" | "creates" }) =>
      mode === "owns" ? formatOwns(owned) : formatCreates(owned),
  },
  "owns-in-boundary": {
    severity: "error",
    title: "`owns` and `boundary` contradict each other",
    explanation:
      "`boundary` lists paths a task must not change, and here it covers a path that the task owns. Narrow one of the two.",
    message: ({ task, path, boundary }: Owned & { readonly boundary: string }) =>
      `${quoted(task)} owns ${quoted(path)}, but its boundary ${quoted(boundary)} forbids it`,
    hint: "narrow `owns` or `boundary`",
    related: formatOwns,
  },
  "created-twice": {
    severity: "error",
    title: "Two tasks create the same path",
    explanation:
      "A file can be created once, even if one task needs the other: the later task modifies the file. A path that another task's glob covers is a warning, because the glob may not create that file; in a design it is an error.",
    example: "owns:\n  - modify: src/index.ts",
    message: formatCreatedTwice,
    hint: (params: CreatedTwice | Covered) =>
      "glob" in params
        ? `narrow ${quoted(params.glob)}, or let the later task use \`modify\``
        : `let ${quoted(params.second)} change the file instead: \`modify: ${params.path}\``,
    related: formatCreates,
  },
  "overlaps-not-listed": {
    severity: "note",
    title: "More overlaps than are listed",
    explanation: "Only the first overlaps are shown. A few broad globs usually cause all of them.",
    message: ({ most }: { readonly most: number }) =>
      `more than ${most} pairs of tasks overlap or may overlap; not all are listed`,
    hint: "narrow the broadest `owns` first",
  },
  "no-owns": {
    severity: "note",
    title: "Some tasks own no paths",
    explanation:
      "A task without `owns` may change any file, so plait can neither find overlaps before the run nor check its changes afterwards. That is allowed.",
    example: "owns: [src/page/, tests/page.test.ts]",
    message: ({ tasks }: { readonly tasks: readonly string[] }) =>
      `${listQuoted(tasks, "tasks")} ${tasks.length === 1 ? "owns no paths, so it" : "own no paths, so they"} may change any file`,
    hint: "list the paths to change: `owns: [src/page/]`",
    related: ({ task }: { readonly task: string }) => `${quoted(task)} owns no paths`,
  },
  "read-only-owns": {
    severity: "warning",
    title: "A read-only task owns paths",
    explanation:
      "Changes of a read-only task are never merged, so `owns` has no effect. Delete it, or give the task write access.",
    message: ({ task }: { readonly task: string }) =>
      `${quoted(task)} is read-only, so \`owns\` has no effect`,
    hint: "delete `owns`, or set `access: write`",
  },
  "reports-not-read-only": {
    severity: "error",
    title: "A task that writes has report files",
    explanation:
      "Report files are the result of a read-only task: plait saves them with the run and never commits them. A task with write access commits its files, so it has no reports.",
    example: "- id: review\n  access: read-only\n  reports: [reports/*.md]",
    message: ({ task }: { readonly task: string }) => `${quoted(task)} has \`reports\` but is not read-only`,
    hint: "delete `reports`, or set `access: read-only`",
  },
  "reports-owned": {
    severity: "warning",
    title: "A task owns another task's report path",
    explanation:
      "Report files of read-only tasks are hidden from git in every worktree, so changes at these paths are not merged. Use different paths.",
    message: ({ task, path, reporter, report }: Owned & { reporter: string; report: string }) =>
      `${quoted(task)} owns ${quoted(path)}, where ${quoted(reporter)} writes its reports ${quoted(report)}`,
    hint: "use another path in `owns` or `reports`",
    related: ({ task }: { readonly task: string }) => `reports of ${quoted(task)}`,
  },
} as const satisfies Catalog;
