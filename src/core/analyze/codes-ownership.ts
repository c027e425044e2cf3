import type { CodeEntry } from "./code-entry.ts";

/** About who may change what. */
export const ownershipCodes = [
  {
    code: "bad-pattern",
    severity: "error",
    title: "A path or glob cannot be used",
    explanation:
      "Paths are written from the root of the repository with forward slashes and may not lead out of it. A plain path covers itself and all below it, a path with a final slash all below it, and globs know *, ?, **, [abc] and {a,b}. Only claims may end in ::symbol.",
    example: "owns: [src/api/, docs/*.md, 'src/models.py::User.save']",
  },
  {
    code: "ownership-overlap",
    severity: "error",
    title: "Two tasks that may run together claim the same path",
    explanation:
      "Nothing orders the two tasks, so both may change the path at once, and the second merge would meet the first one's work. The message names a path that both claims cover. Narrow one of the claims, or let one task need the other: claims of tasks that run one after the other may overlap.",
    example: "- id: api\n  owns: [src/api/]\n- id: docs\n  owns: [src/api/README.md]\n  needs: [api]",
  },
  {
    code: "ownership-unsure",
    severity: "warning",
    title: "Whether two claims overlap cannot be decided",
    explanation:
      "Either a claim uses syntax that plait does not take apart (such as @(a|b), a leading !, or braces that stand for hundreds of paths), or it depends on what a plan does not say: whether a path is a file or a folder, or whether the file system tells Makefile from makefile. Where there are too many globs for comparing them all, the message says how many pairs are left. Write a plain glob, put a slash behind folders, or let one task need the other. With --strict this is an error.",
  },
  {
    code: "own-boundary-clash",
    severity: "error",
    title: "A task may not touch what it owns",
    explanation:
      "The boundary of a task names what it must leave alone; here it covers a path that the task also claims. An agent told both would have to break one of them. Narrow the claim or the boundary.",
  },
  {
    code: "created-twice",
    severity: "error",
    title: "Two tasks create the same path",
    explanation:
      "A file can come into being once. This is an error even when one task needs the other, because then the later one changes the file and does not create it. Let the second task modify it. What a glob will create nobody knows, so of a path that the glob of another task covers it is only warned, except in a design, which can still name its files.",
    example: "owns:\n  - modify: src/index.ts",
  },
  {
    code: "overlaps-not-listed",
    severity: "note",
    title: "There are more overlaps than are listed",
    explanation:
      "So many pairs of tasks overlap that only the first are shown. Mostly a few broad claims are behind all of them: narrow those and check again.",
  },
  {
    code: "unclaimed",
    severity: "note",
    title: "Some writing tasks claim nothing",
    explanation:
      "A task without owns may change any file, so plait can neither tell before the run whether it collides with others nor check afterwards that it stayed in its place. That is allowed. Give it owns to get both.",
    example: "owns: [src/page/, tests/page.test.ts]",
  },
  {
    code: "read-only-owns",
    severity: "warning",
    title: "A read-only task claims paths",
    explanation:
      "What a read-only task leaves behind is never merged, so its claims mean nothing. Delete them, or give the task write access.",
  },
  {
    code: "reports-of-writer",
    severity: "error",
    title: "A task that writes has report files",
    explanation:
      "Report files are what a read-only task has to show: they are kept beside the run and never committed. What a writing task leaves is committed, so it needs none. Make the task read-only, or delete reports.",
    example: "- id: review\n  access: read-only\n  reports: [reports/*.md]",
  },
  {
    code: "reports-claimed",
    severity: "warning",
    title: "A task claims where another one reports",
    explanation:
      "Report files of read-only tasks are hidden from git in every worktree of the run, and those that a task is handed are not part of what it does, also where it changes them. Let the two use different paths.",
  },
] as const satisfies readonly CodeEntry[];
