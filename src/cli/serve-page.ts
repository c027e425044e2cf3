// The page beside a command. Loaded only where somebody asks for it.

import { type Host, type LocalRun, type OrRefusal, openPageRuns } from "../app/index.ts";
import type { RunId } from "../core/ids.ts";
import { type PageServer, startPageServer } from "../web/page-server.ts";
import { hostOf } from "./host.ts";
import { dim } from "./render/line.ts";
import { warn } from "./render/warning.ts";
import type { Request } from "./request.ts";

export type Page = { readonly run: RunId | null; readonly port: number };

export async function servePage(
  request: Request,
  host: Host,
  { run, port }: Page,
): Promise<OrRefusal<{ server: PageServer }>> {
  const { options, output } = request;
  const opened = await openPageRuns(host, { run, program: driverProgram(options) });
  if (!opened.ok) return opened;
  const onMistake = (message: string): void =>
    output.say(warn(`the page: this is a bug in plait: ${message}`, output));
  return startPageServer({ runs: opened.runs, port, onMistake });
}

/** What the user typed, as far as it holds for drivers that are started for what the page asks. */
function driverProgram({ allowRoot, allowNested }: Request["options"]) {
  return (words: readonly string[]): readonly string[] => [
    ...[process.execPath, process.argv[1] ?? "", ...words],
    ...(allowRoot === true ? ["--allow-root"] : []),
    ...(allowNested === true ? ["--allow-nested"] : []),
  ];
}

/** Beside a run that this process drives. That there is no page is told, and changes nothing for the run. */
export async function servePageOf(
  { view }: LocalRun,
  request: Request,
): Promise<{ readonly close: () => Promise<void> }> {
  const { output } = request;
  try {
    const served = await servePage(request, hostOf(request, "plait run"), { run: view.run, port: 0 });
    if (served.ok) {
      output.say([[dim("page  "), served.server.url, dim("  for this machine only, as long as this runs")]]);
      return { close: () => endWithRun(served.server) };
    }
    output.say(warn(`there is no page: ${served.refusal.message}; ${served.refusal.hint}`, output));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    output.say(warn(`there is no page, by a mistake of plait: ${message}`, output));
  }
  return { close: async () => undefined };
}

const LAST_LOOK_MS = 700;

/** Pages that are open see the end first. */
async function endWithRun({ viewers, close }: PageServer): Promise<void> {
  if (viewers() > 0) await new Promise((resolve) => setTimeout(resolve, LAST_LOOK_MS));
  await close();
}
