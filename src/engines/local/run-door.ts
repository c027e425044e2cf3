import type { Decision, RunCommand } from "../../core/decide.ts";
import type { Driver, Fact } from "../../core/facts.ts";
import { parseFact } from "../../core/parse-fact.ts";
import type { RunView } from "../../core/run-view.ts";
import { readJournal } from "../../journal/read.ts";
import type { DoorHandlers } from "./control-client.ts";
import { type ControlSocket, openControlSocket } from "./control-socket.ts";
import type { RunFolder } from "./run-folder.ts";

export type Doorway = {
  readonly folder: RunFolder;
  readonly view: RunView;
  readonly ask: (command: RunCommand) => Promise<Decision>;
  /** How many facts the run has already. */
  readonly facts: number;
};

/** The door of a run that is driven here; null where there can be none: a run does without it if it must. */
export async function openRunDoor(
  { door: path, driver }: { readonly door: string | null; readonly driver: Driver },
  { folder, view, ask, facts }: Doorway,
): Promise<ControlSocket | null> {
  if (path === null) return null;
  let count = facts;
  view.subscribe({
    fact: () => {
      count += 1;
    },
  });
  const handlers: DoorHandlers = {
    ask,
    factsSince: async (n) => (await readJournal<Fact>(folder.journal, { parse: parseFact })).facts.slice(n),
    // The count above is subscribed first, so it is past this fact already.
    subscribe: ({ fact, activity }) => view.subscribe({ fact: (one) => fact(count - 1, one), activity }),
    describe: () => ({ run: view.run, pid: driver.pid, version: driver.version, facts: count }),
    doing: () => view.activity().values(),
  };
  const opened = await openControlSocket({ path, runDir: folder.path, handlers });
  return opened.ok ? opened.door : null;
}
