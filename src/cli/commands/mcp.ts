import { type KnownRun, type OrRefusal, readLog } from "../../app/index.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { WantedPlan, Workshop } from "../../mcp/tool.ts";
import { requireAgreed } from "../agree.ts";
import { buildPolicy } from "../config.ts";
import { exitCodes } from "../exit-codes.ts";
import { pickGiven } from "../flag.ts";
import { driverProgram, drivingHost } from "../host.ts";
import { readPlan } from "../plan-file.ts";
import { glyphs } from "../render/glyphs.ts";
import { type Line, plainText } from "../render/line.ts";
import { attemptFactLines, entryLines } from "../render/log.ts";
import type { Request, RunCommand } from "../request.ts";
import { EnvironmentError, RequestError } from "../request-error.ts";
import { version } from "../version.ts";

/** `plait mcp`: serves the library as tools for agents until the client disconnects. */
export const mcp: RunCommand = async (request) => {
  const { serveMcp } = await import("../../mcp/server.ts");
  await serveMcp(workshop(request));
  return exitCodes.ok;
};

function workshop(request: Request): Workshop {
  return {
    host: (command) => orRefusal(async () => ({ host: await drivingHost(request, command) })),
    readPlan: (wanted) =>
      orRefusal(async () => {
        const { runCommands } = wanted;
        const read = { runCommands, inspect: true, checksGates: true };
        const { project, ...loaded } = await readPlan(asked(request, wanted), read);
        return { loaded, project };
      }),
    agree: ({ plan, project }) =>
      orRefusal(async () => {
        await requireAgreed(request, { plan, project, words: null });
        return {};
      }),
    policy: (plan, wanted) => buildPolicy(plan, asked(request, wanted)),
    program: driverProgram(request),
    logText,
    version,
  };
}

/** As if it had been typed. */
function asked(request: Request, { path, runCommands: _, ...wanted }: WantedPlan): Request {
  return { ...request, args: [path], options: { ...request.options, ...pickGiven(wanted) } };
}

/** What ends a command is an answer here. */
async function orRefusal<T>(act: () => Promise<T>): Promise<OrRefusal<T>> {
  try {
    return { ok: true, ...(await act()) };
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof EnvironmentError)) throw error;
    const kind = error instanceof EnvironmentError ? "environment" : "request";
    return { ok: false, refusal: { kind, message: error.message, hint: error.hint ?? "" } };
  }
}

/** As `plait logs` prints it into a file. */
async function logText(known: KnownRun, attempt: AttemptId): Promise<string> {
  const look = { glyphs: glyphs.unicode, width: null };
  const entries = entryLines(look);
  const lines: Line[] = [];
  await readLog(known, {
    ...{ attempt, raw: null, follow: false, goOn: false },
    show: (item) => {
      if (item.kind === "entries") lines.push(...item.entries.flatMap(entries));
      if (item.kind === "fact") lines.push(...attemptFactLines(item, () => "agent", look));
    },
  });
  return lines.map((line) => `${plainText(line).trimEnd()}\n`).join("");
}
