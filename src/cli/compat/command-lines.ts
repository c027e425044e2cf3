import type { EnvSettings } from "../../config/env.ts";
import type { Output } from "../output.ts";

/**
 * Command lines of other systems, each under its own name: same words, same flags, same exit codes, same lines where people
 * or scripts read them. Each turns its words into a request of plait's own and listens to the run; none runs anything itself.
 */
export type CommandLine = (words: readonly string[], around: Around) => Promise<number>;

/** Where it is typed and where it talks. */
export type Around = {
  readonly env: EnvSettings;
  readonly startedIn: string | null;
  readonly output: Output;
};

/** By the name that it was installed under. */
export const commandLines: { readonly [name: string]: () => Promise<CommandLine> } = {
  "cast-parallel": async () => (await import("./cast-parallel.ts")).castParallel,
  cpo: async () => (await import("./cpo.ts")).cpo,
  "parallel-orchestra": async () => (await import("./parallel-orchestra.ts")).parallelOrchestra,
};
