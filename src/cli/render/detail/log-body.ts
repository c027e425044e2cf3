import type { LogItem } from "../../../app/index.ts";
import type { Line } from "../line.ts";
import { attemptFactLines, entryLines, type WorkerOf } from "../log.ts";
import { foldLine, type Look } from "../run/look.ts";

/** The log of an attempt as lines, of which more come: what was there is not made again. */
export type LogLines = { readonly add: (item: LogItem) => void; readonly lines: readonly Line[] };

const NARROW = 60;
/** More than anybody scrolls through; the whole is in the file of the transcript. */
const MOST_LINES = 50_000;

export function createLogLines(worker: ReturnType<WorkerOf>, look: Look): LogLines {
  const logLook = { ...look, isShort: look.width < NARROW };
  const ofEntry = entryLines(logLook);
  const lines: Line[] = [];
  const linesOf = (item: LogItem): Line[] => {
    if (item.kind === "entries") return item.entries.flatMap(ofEntry);
    return item.kind === "fact" ? attemptFactLines(item, () => worker, logLook) : [];
  };
  return {
    add: (item) => {
      for (const line of linesOf(item)) lines.push(...foldLine(line, look.width));
      if (lines.length > MOST_LINES) lines.splice(0, lines.length - MOST_LINES);
    },
    lines,
  };
}
