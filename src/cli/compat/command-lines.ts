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

export type CommandLineSpec = {
  /** Its words, for the list of all commands. */
  readonly argument: string;
  readonly summary: string;
  readonly load: () => Promise<CommandLine>;
};

/** By the name that it was installed under. */
export const commandLines: { readonly [name: string]: CommandLineSpec } = {
  "cast-parallel": {
    argument: "<plan-file>",
    summary: "Run a plan's batches as two streams",
    load: async () => (await import("./cast-parallel.ts")).castParallel,
  },
  cpo: {
    argument: "<init|validate|run|status>",
    summary: "Create, check and run an artifact folder",
    load: async () => (await import("./cpo.ts")).cpo,
  },
  "parallel-orchestra": {
    argument: "<run>",
    summary: "Run a parallel-orchestra manifest",
    load: async () => (await import("./parallel-orchestra.ts")).parallelOrchestra,
  },
};

export function findCommandLine(name: string | undefined): CommandLineSpec | null {
  return name !== undefined && Object.hasOwn(commandLines, name) ? (commandLines[name] ?? null) : null;
}
