import { plait } from "../core/text/command.ts";
// The web UI beside a command. Loaded only when needed.

import { type Host, type LocalRun, type OrRefusal, openPageRuns } from "../app/index.ts";
import type { RunId } from "../core/ids.ts";
import { formatRefusal } from "../core/text/refusal.ts";
import { type PageServer, startPageServer } from "../web/page-server.ts";
import { createHost, driverProgram } from "./host.ts";
import { dim } from "./render/line.ts";
import type { Request } from "./request.ts";

export async function servePage(
  request: Request,
  host: Host,
  run: RunId | null,
  port: number,
): Promise<OrRefusal<{ server: PageServer }>> {
  const { output } = request;
  const opened = await openPageRuns(host, { run, program: driverProgram(request) });
  if (!opened.ok) return opened;
  const onMistake = (message: string): void => output.warn(`bug in plait (web UI): ${message}`);
  return startPageServer({ runs: opened.runs, port, onMistake });
}

/** Beside a run of this process. If the server does not start, the run continues with a warning. */
export async function servePageOf(
  { view }: LocalRun,
  request: Request,
): Promise<{ readonly close: () => Promise<void> }> {
  const { output } = request;
  try {
    const served = await servePage(request, createHost(request, plait("run")), view.run, 0);
    if (served.ok) {
      output.say([[dim("web UI  "), served.server.url, dim("  this machine only, until the run ends")]]);
      return { close: () => endWithRun(served.server) };
    }
    output.warn(`no web UI: ${formatRefusal(served.refusal)}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    output.warn(`the web UI did not start; bug in plait: ${message}`);
  }
  return { close: async () => undefined };
}

const LAST_LOOK_MS = 700;

/** Open pages get the last events first. */
async function endWithRun({ viewers, close }: PageServer): Promise<void> {
  if (viewers() > 0) await new Promise((resolve) => setTimeout(resolve, LAST_LOOK_MS));
  await close();
}
