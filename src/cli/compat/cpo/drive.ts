import { type CpoFiles, type LocalRun, openCpoFiles, type RunView } from "../../../app/index.ts";
import type { RunState } from "../../../core/run-state.ts";
import { progress } from "../../../core/select/progress.ts";
import { remarks } from "../../../core/select/remarks.ts";
import { findEndStatus } from "../../../core/select/run-status.ts";
import { formatCounts, formatRunStatus } from "../../../core/select/run-status-text.ts";
import { taskRows } from "../../../core/select/task-rows.ts";
import { formatCommand, otherCommand } from "../../../core/text/command.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { listCpoSteps, notLanded } from "../../../report/cpo/next.ts";
import { type CpoWave, outline } from "../../../report/cpo/outline.ts";
import {
  type CpoChange,
  changes,
  countLines,
  executionLine,
  nodeLine,
  nodeText,
  waveHead,
  waveLine,
} from "../../../report/cpo/progress.ts";
import { type Driven, driveRun, findExitCode } from "../../drive.ts";
import { type ExitCode, exitCodes } from "../../exit-codes.ts";
import { createHost, granted } from "../../host.ts";
import { createOutlet } from "../../progress/outlet.ts";
import { shown } from "../../render/visible.ts";
import type { Request } from "../../request.ts";
import { errorStream, patientStream, settleSoon } from "../../streams.ts";
import type { CpoFolder } from "./folder.ts";

/**
 * Drives a run in this process and tells of it as cpo did: on stdout for people, in the folder and on stderr for scripts. Others
 * may have gone on with it since it was told of.
 */
export async function drive(run: LocalRun, request: Request, folder: CpoFolder): Promise<number> {
  const { view } = run;
  const host = createHost(request, otherCommand(folder.typed, "run", folder.named));
  const { files } = granted(await openCpoFiles(host, view, { named: folder.named, folder: folder.path }));
  files.catchUp(run.past, view.state());
  const told = teller(view, request, files);
  const driven = await driveRun(run, request, told.close);
  told.close();
  await told.settled();
  const waves = outline(view.state(), view.now(), { isRunning: false });
  told.line(executionLine(waves, { isDone: driven.status.exit === 0 }));
  const { files: written, problems } = await files.finish(view.state());
  await told.settled();
  const end = endLines(view.state(), waves, folder, written);
  request.output.result(end.map((line) => [shown(line, request.output.glyphs)]));
  request.output.warn(...problems);
  return findCpoExit(driven);
}

/** cpo had no code of its own for an environment problem. */
function findCpoExit(driven: Driven): ExitCode {
  const code = findExitCode(driven);
  return code === exitCodes.badEnvironment ? exitCodes.incomplete : code;
}

/** More than this nobody has read. */
const MAX_CHARS = 1_000_000;

/** To look at all of so many with every fact would hold up the driver: they are looked at now and then. */
const MANY_TASKS = 200;
const PAUSE_MS = 500;

function teller(view: RunView, request: Request, files: CpoFiles) {
  const [people, scripts] = [lines("stdout"), lines("stderr")];
  const isTerminal = errorStream(request.env.columns).isTerminal;
  let before = outline(view.state(), view.now());
  let wave: number | null = null;
  let last: Promise<void> = Promise.resolve();
  let looking: NodeJS.Timeout | null = null;

  /** For scripts. */
  const line = (text: string): void => {
    files.log(text);
    if (!isTerminal) scripts.push(`${text}\n`);
  };
  const tell = async (change: CpoChange, state: RunState): Promise<void> => {
    if (change.kind === "wave") {
      const text = waveLine(change.wave);
      if (text !== null) line(text);
      return;
    }
    const { node } = change;
    if (node.wave !== wave) people.push(`${waveHead(node.wave)}\n`);
    wave = node.wave;
    people.push(`${shown(nodeText(node), request.output.glyphs)}\n`);
    const isCounted = node.word === "COMPLETED" && node.attempt !== null;
    line(nodeLine(node, isCounted ? await files.commits(node.attempt, state) : null));
  };
  line(`[PROGRESS] execution status=started run=${view.run}`);
  const look = (): void => {
    looking = null;
    const state = view.state();
    const now = outline(state, view.now());
    const news = changes(before, now);
    before = now;
    for (const change of news) last = last.then(() => tell(change, state));
  };
  const off = view.subscribe({
    fact: (fact, after, prior) => {
      files.heard(fact, after, prior);
      if (after.tasks === prior.tasks && after.ended === prior.ended) return;
      if (after.index.plan.tasks.length <= MANY_TASKS) look();
      else looking ??= setTimeout(look, PAUSE_MS);
    },
  });
  return {
    line,
    close: off,
    settled: async () => {
      if (looking !== null) {
        clearTimeout(looking);
        look();
      }
      await last;
      await settleSoon(Promise.all([people.settled(), scripts.settled()]));
    },
  };
}

/** Lines that come one after another, and hold nobody up. */
function lines(name: "stdout" | "stderr") {
  const stream = patientStream(name);
  const outlet = createOutlet({
    write: (text, flushed) => void stream.write(text, (error) => flushed(error == null)),
    maxChars: MAX_CHARS,
    onFull: { kind: "stop" },
  });
  return { push: outlet.push, settled: stream.settled };
}

/** The counts that cpo ended with, then what plait has to say. */
export function endLines(
  state: RunState,
  waves: readonly CpoWave[],
  folder: CpoFolder,
  written: readonly string[],
): string[] {
  const rows = taskRows(state, state.clock, { isRunning: false });
  const why = notLanded(state);
  return [
    "",
    ...countLines(waves),
    "",
    `Run ${state.run}: ${plainText(formatRunStatus(findEndStatus(state)))}, ${formatCounts(rows, progress(state))}`,
    ...(why === null ? [] : [why]),
    ...(written.length === 0 ? [] : [`Written: ${written.join(", ")}`]),
    ...remarks(state),
    ...listCpoSteps(state, folder).map(
      ({ command, purpose }) => `next: ${formatCommand(command)}   (${purpose})`,
    ),
  ];
}
