import { basename, dirname } from "node:path";
import type { Unlisted } from "../core/analyze/findings.ts";
import type { Caps } from "../core/caps.ts";
import type { PlanDraft } from "../core/draft.ts";
import type { Diagnostic } from "../core/source.ts";

/**
 * What a user pointed at. The path is kept as typed, because messages and ranges name the file by it.
 * A format that is a folder (a manifest with files beside it) is recognised by the names in it.
 */
export type PlanInput =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "folder"; readonly path: string; readonly names: readonly string[] };

/**
 * What lies around a plan, for formats that are more than one file. Paths are relative to the folder of the plan, or to the plan
 * itself where that is a folder.
 */
export type PlanFiles = {
  /** That folder, absolute. */
  readonly folder: string;
  /** The same folder as the user named it, for messages. */
  readonly named: string;
  /** The folder that the user is in, absolute: there the plan is run. */
  readonly cwd: string;
  /** What `~` stands for; null where nobody knows. */
  readonly home: string | null;
  /** `file` is how messages and ranges name it. What leads out of the folder and its repository is not read. */
  readonly read: (path: string) => Promise<FileRead>;
  /** Sorted; empty where there is no such folder. */
  readonly names: (path: string) => Promise<readonly string[]>;
  /** What is there by this name, links followed; null where nothing is. */
  readonly lookAt: (path: string) => Promise<FileKind | null>;
  /** Whether there is such a folder; the path is absolute. */
  readonly isFolder: (path: string) => Promise<boolean>;
  /** The folder at or above this one that holds `.git`, absolute; null where there is none. */
  readonly repositoryAt: (folder: string) => Promise<string | null>;
};

export type FileKind = {
  readonly isFolder: boolean;
  /** The name itself is one; those on the way to it do not count. */
  readonly isLink: boolean;
  /** Such a file would not be read. */
  readonly isOutside: boolean;
};

/** As the end of a sentence about a file. */
export const OUTSIDE = "is outside the folder and its repository";

/** What is wrong ends a sentence that begins with the file. */
export type FileRead =
  | { readonly ok: true; readonly file: string; readonly text: string }
  | { readonly ok: false; readonly file: string; readonly isMissing: boolean; readonly problem: string };

export type ReadOptions = {
  /** Unknown keys are warned of only, as the system takes them that the plan was written for. */
  readonly tolerant: boolean;
};

/** The draft may come with errors: it then lacks what was wrong, so that the rest can be checked in the same go. */
export type FormatResult = {
  readonly draft: PlanDraft | null;
  readonly diagnostics: readonly Diagnostic[];
  /** How many more there are; left out where all are told. */
  readonly unlisted?: Unlisted;
};

/**
 * One way to write a plan. `detect` looks at the content, never at the file's name, and costs next to nothing;
 * `read` may load a parser, and loads it only then.
 */
export type PlanFormat = {
  readonly name: string;
  /** What people call it, as the object of "is not a …". */
  readonly title: string;
  readonly detect: (input: PlanInput) => "yes" | "no";
  readonly read: (
    input: PlanInput,
    caps: Caps,
    around: PlanFiles,
    options?: ReadOptions,
  ) => Promise<FormatResult>;
};

/** What a plan is called that does not say it: as its file, or as the folder where the file is only called plan. */
export function nameFrom(path: string): string {
  const file = basename(path).replace(/\.[^.]*$/, "");
  const folder = basename(dirname(path));
  return /^plan$/i.test(file) && /\w/.test(folder) ? folder : file;
}
