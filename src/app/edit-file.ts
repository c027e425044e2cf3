import { runInTerminal } from "../process/terminal.ts";
import type { Host } from "./host.ts";

/** Opens a file in the user's editor and waits. Gives why it could not be edited; null where it was. */
export async function editFile(
  { env, cwd }: Pick<Host, "env" | "cwd">,
  path: string,
): Promise<string | null> {
  const editor = env["VISUAL"] || env["EDITOR"] || "vi";
  // As git does it: the variable may hold options, and quotes around them.
  const end = await runInTerminal({ argv: ["sh", "-c", `${editor} "$@"`, editor, path], cwd, env });
  if (!end.ok) return end.message;
  return end.code === 0 ? null : `the editor ${editor} ended: ${end.signal ?? `exit code ${end.code}`}`;
}
