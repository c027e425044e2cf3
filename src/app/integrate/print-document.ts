import { duration } from "../../core/text/figures.ts";
import { lastLines } from "../../process/tail.ts";
import { removeColors } from "../../spec/integrate/checks/counts.ts";
import type { PrintedText } from "../../spec/integrate/routes/compare-document.ts";
import type { ToCheck } from "./run-checks.ts";
import type { Trial } from "./trial-place.ts";

/** More than any document that people serve. */
const MOST_BYTES = 32 * 1024 * 1024;
const LAST_LINES = 5;
const MOST_CHARS = 1000;

/** Runs the command that prints the API document, in the copy of the commit. */
export async function printDocument(
  { tree, prepared, call }: Trial,
  command: string,
  { signal, timeoutMs, tell }: Pick<ToCheck, "signal" | "timeoutMs" | "tell">,
): Promise<PrintedText> {
  if (signal.aborted) return { command, problem: "stopped" };
  if (!prepared.ok)
    return { command, problem: `the copy of the commit could not be prepared: ${prepared.detail}` };
  tell.printing(command);
  const end = await call({ kind: "shell", line: command }, { timeoutMs, stdoutBytes: MOST_BYTES });
  if (end.kind === "not-started") return { command, problem: end.failure.message };
  if (signal.aborted) return { command, problem: "stopped" };
  const { exit, stdout } = end;
  const said = formatLastLines(end.output.replaceAll(`${tree}/`, ""));
  if (exit.why === "total") return { command, problem: `no result within ${duration(timeoutMs)}${said}` };
  if (exit.code !== 0) {
    const how = exit.code === null ? `ended by ${exit.signal}` : `exit code ${exit.code}`;
    return { command, problem: `${how}${said}` };
  }
  if (stdout === null) return { command, problem: "it printed more than 32 MB" };
  return stdout.trim() === ""
    ? { command, problem: `standard output is empty${said}` }
    : { command, text: stdout };
}

/** The reason of a failure is at the end; one line may be very long. */
function formatLastLines(output: string): string {
  const lines = lastLines(removeColors(output), LAST_LINES);
  const text = lines.map((line) => line.trim()).join(" / ");
  return text === "" ? "" : `: ${text.length > MOST_CHARS ? `…${text.slice(-MOST_CHARS)}` : text}`;
}
