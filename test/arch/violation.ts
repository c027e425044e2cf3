/** One broken rule, at the place where it is broken. */
export type Violation = { rule: Rule; file: string; line: number; message: string };

export type Rule =
  | "nothing-seen"
  | "folder"
  | "layer"
  | "outside"
  | "programs"
  | "computed-import"
  | "package"
  | "cycle"
  | "pure-import"
  | "pure-global"
  | "child-process"
  | "git"
  | "env"
  | "terminal"
  | "file-length"
  | "median-length"
  | "p95-length"
  | "function-length"
  | "parameters";
