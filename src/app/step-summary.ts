// A summary for the page of a workflow: Markdown in a file that the system names and shows. Others write there too, so it is
// appended, and what has no room is left out with a word: a file that is too large is not shown at all.

import { appendFile, readFile, stat } from "node:fs/promises";
import { ifMissing } from "../util/errno.ts";

/** What GitHub takes of one step. */
const MOST_BYTES = 1024 * 1024;
/** For the sentence that tells of the rest. */
const SPARE_BYTES = 200;

/** Null when it is there, else why not. */
export async function appendSummary(file: string, report: string): Promise<string | null> {
  try {
    const found = await stat(file).catch(ifMissing(null)); // then it is made
    const used = found?.size ?? 0;
    await appendFile(file, fitting(await readFile(report, "utf8"), MOST_BYTES - used));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whole lines, as many as there is room for. */
function fitting(text: string, room: number): string {
  const bytes = Buffer.from(`${text.trimEnd()}\n`);
  if (bytes.length <= room) return bytes.toString();
  const end = bytes.lastIndexOf("\n", Math.max(0, room - SPARE_BYTES)) + 1;
  const said = `\n\n*${(bytes.length - end).toLocaleString("en-US")} bytes of the report left out.*\n`;
  return room < SPARE_BYTES ? "" : bytes.toString("utf8", 0, end) + said;
}
