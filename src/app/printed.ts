// What a program printed in one attempt, its two streams apart, as it would have printed it without plait: events are for
// programs, so in their place stands what the agent said.

import { readFile } from "node:fs/promises";
import type { AttemptId } from "../core/ids.ts";
import type { PastAttempt } from "../core/run-state.ts";
import { runFolder } from "../engines/local/run-folder.ts";
import { ifMissing } from "../util/errno.ts";
import { tailTranscript } from "./transcript.ts";

export type Printed = { readonly stdout: string; readonly stderr: string };

/** Masked, as all that lies in a run folder is. `path` is that of the run folder. */
export async function printedBy(
  path: string,
  { id, ended }: Pick<PastAttempt, "id" | "ended">,
): Promise<Printed> {
  const folder = runFolder(path);
  const read = (file: string) => readFile(file, "utf8").catch(ifMissing(""));
  const [log, stderr] = await Promise.all([read(folder.log(id)), read(folder.errors(id))]);
  const { plain, hasEvents } = apart(log, stderr);
  if (!hasEvents) return { stdout: plain, stderr };
  const said = ended.said === null ? await transcriptText(path, id) : await folder.text(ended.said);
  return { stdout: joined(plain, said ?? ""), stderr };
}

/**
 * The log has both streams as they came, so what is on stderr is taken out of it line by line. A line that was torn apart by the
 * other stream stays: then it is seen twice, and nothing is missing.
 */
export function apart(log: string, stderr: string): { readonly plain: string; readonly hasEvents: boolean } {
  const errors = stderr.split("\n");
  const plain: string[] = [];
  let [next, events] = [0, 0];
  for (const line of log.split("\n")) {
    // Empty ones say nothing of where they belong.
    while (errors[next] === "") next += 1;
    if (line !== "" && line === errors[next]) {
      next += 1;
    } else if (isEvent(line)) {
      events += 1;
    } else {
      plain.push(line);
    }
  }
  while (plain.at(-1) === "") plain.pop();
  return { plain: plain.map((line) => `${line}\n`).join(""), hasEvents: events > 0 };
}

function isEvent(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

/** What an agent said that was ended before its last word. */
async function transcriptText(path: string, attempt: AttemptId): Promise<string> {
  const entries = await tailTranscript({ folder: runFolder(path) }, attempt)();
  return entries.flatMap((entry) => (entry.kind === "text" ? [entry.text] : [])).join("\n");
}

/** A program that only looked as if it had printed events has said all that it printed. */
export function joined(plain: string, said: string): string {
  if (said.includes(plain.trimEnd())) return said === "" || said.endsWith("\n") ? said : `${said}\n`;
  return `${plain}${said === "" || said.endsWith("\n") ? said : `${said}\n`}`;
}
