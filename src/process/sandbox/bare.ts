import type { Invocation } from "../spawn.ts";
import { send } from "../tree.ts";
import type { Enclosure } from "./enclosure.ts";

/** The program alone, in its own session and group. */
export function encloseByNothing({ argv }: Invocation): Enclosure {
  return {
    argv,
    pipes: [],
    attend: ({ pid }) => ({
      signal: (signal) => void (send(-pid, signal) || send(pid, signal)),
      readEnd: async (exit) => ({ ...exit, left: [], notRun: null }),
    }),
  };
}
