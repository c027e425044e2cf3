import {
  type FoundRun,
  findAttempt,
  findPager,
  findRun,
  runDiff,
  SHOWN,
  showInPager,
  taskDiff,
} from "../../app/index.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { findTaskToShow } from "../find-task-to-show.ts";
import { createHost, granted } from "../host.ts";
import { hasColours } from "../output.ts";
import type { Glyphs } from "../render/glyphs.ts";
import { bold, type Line, paint, type Span, styled } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";
import { resultStream } from "../streams.ts";

/** More than anybody reads, and less than memory. */
const MAX_BYTES = 32 * 1024 * 1024;

type Shown = { readonly what: string; readonly text: string; readonly cutBytes: number };

/** `plait diff [task]`: the changes of a run or an attempt. In a pipe the output is a patch. */
export const diff: RunCommand = async (request) => {
  const { options, output } = request;
  const found = granted(await findRun(createHost(request, plait("diff")), options.run ?? null, SHOWN));
  const [task] = request.args;
  if (task === undefined && options.attempt !== undefined)
    throw new RequestError(
      "--attempt needs a task",
      fix("specify a task", plait("diff", { placeholder: "task" }, { attempt: 1 })),
    );
  const shown = task === undefined ? await readRun(request, found) : await readTask(request, found, task);
  if (shown === null) return exitCodes.ok;
  await show(request, found, shown);
  if (shown.cutBytes > 0)
    output.say([[`${shown.cutBytes.toLocaleString("en-US")} bytes of the diff are not shown`]]);
  return exitCodes.ok;
};

const readOptions = ({ options: { stat = false, nameOnly = false } }: Request) => ({
  ...{ maxBytes: MAX_BYTES, stat, nameOnly },
});

async function readRun(request: Request, found: FoundRun): Promise<Shown> {
  const { diff: made } = granted(await runDiff(found, readOptions(request)));
  return { what: found.known.run, ...made };
}

async function readTask(request: Request, found: FoundRun, named: string): Promise<Shown | null> {
  const task = await findTaskToShow(request, found, { command: "diff", typed: named });
  const { attempt } = granted(findAttempt(found.known, task, request.options.attempt ?? null, "diff"));
  const made = granted(await taskDiff(found, attempt, readOptions(request)));
  const what = attempt.replace("/", " #");
  if (made.kind === "diff") return { what, ...made.diff };
  const follow = formatCommand(plait("logs", task, { run: found.known.run, follow: true }));
  request.output.say([
    [`${what} is running; its diff is available once its work is saved. Follow it: ${follow}`],
  ]);
  return null;
}

async function show(request: Request, found: FoundRun, { what, text }: Shown): Promise<void> {
  const { options, output, env } = request;
  const stream = resultStream(env.columns);
  if (text === "") return output.say([[`${what} made no changes`]]);
  if (!stream.isTerminal && !hasColours(stream, env, options)) return output.raw(text);
  const lines = diffLines(text, output.glyphs);
  const host = createHost(request, plait("diff"));
  const pager = stream.isTerminal && options.pager !== false ? findPager(host, found) : null;
  if (pager === null) return output.result(lines);
  const painted = paint(lines, { colours: hasColours(stream, env, options) });
  if (!(await showInPager(host, pager, painted))) output.result(lines);
}

/** A diff in colours of our own: git's would stand among what the files themselves say. */
function diffLines(text: string, glyphs: Glyphs): Line[] {
  let inHunk = false;
  return text
    .trimEnd()
    .split("\n")
    .map((raw): Line => {
      if (/^diff /.test(raw)) inHunk = false;
      else if (raw.startsWith("@@")) inHunk = true;
      return [spanOf(shown(raw.replaceAll("\t", "    "), glyphs), inHunk)];
    });
}

function spanOf(line: string, inHunk: boolean): Span {
  if (line.startsWith("@@")) return styled("cyan", line);
  if (inHunk && line.startsWith("+")) return styled("green", line);
  if (inHunk && line.startsWith("-")) return styled("red", line);
  return !inHunk && /^(diff|index|---|\+\+\+|new|deleted|rename|similarity|old) /.test(line)
    ? bold(line)
    : line;
}
