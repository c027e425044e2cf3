import { join } from "node:path";
import { errnoOf } from "../../util/errno.ts";

export type Written = {
  /** Files and folders, as their folder was named. */
  readonly files: readonly string[];
  /** Sentences about what could not be written, each once. */
  readonly problems: readonly string[];
};

/** Writes below a folder, one after another, so that each file tells things in their order. None holds up who asks for it. */
export type OrderedWrites = {
  /** `what` is for the sentence about its failure; `work` gives what is there now. Both below the folder. */
  readonly add: (what: string, work: () => Promise<string>) => void;
  readonly settled: () => Promise<Written>;
};

export function orderedWrites(named: string): OrderedWrites {
  const files = new Set<string>();
  const problems = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  return {
    add: (what, work) => {
      last = last
        .then(work)
        .then((path) => void files.add(join(named, path)))
        .catch(
          (error: unknown) => void problems.add(`cannot write ${join(named, what)}: ${reasonOf(error)}`),
        );
    },
    settled: async () => {
      await last;
      return { files: [...files], problems: [...problems] };
    },
  };
}

function reasonOf(error: unknown): string {
  if (errnoOf(error) === "ELOOP") return "it is a link";
  return error instanceof Error ? error.message : String(error);
}
