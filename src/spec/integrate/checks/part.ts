import { shellQuote } from "../../../util/shell-quote.ts";
import type { StackCheck } from "../report.ts";

/** A folder of a project that has checks of its own, with what its files say. */
export type Part = {
  /** From the root of the project; empty where it is the root. */
  readonly folder: string;
  /** Files below it, by their paths from there. */
  readonly paths: ReadonlySet<string>;
  /** Null where there is none. */
  readonly text: (path: string) => string | null;
  /** The part at the root, where this is another. */
  readonly root: Part | null;
};

/** A check as it is typed in the folder, in the words of a shell at the root of the project. */
export function inFolder(folder: string, { name, kind, run }: StackCheck): StackCheck {
  return folder === ""
    ? { name, kind, run }
    : { name: `${folder}: ${name}`, kind, run: `cd ${shellQuote(folder)} && ${run}` };
}
