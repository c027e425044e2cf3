import { dirname } from "node:path";
import { writeNewFile } from "../app/safe-file.ts";
import { shellWord } from "../core/text/command.ts";
import { EnvironmentError, RequestError } from "./request-error.ts";

/** `--output <file>`: written whole or not at all; an existing file is never overwritten. */
export async function writeOutput(file: string, text: string): Promise<void> {
  const result = await writeNewFile(file, text);
  if (result.ok) return;
  if (result.reason === "exists")
    throw new RequestError(`${file} already exists`, "choose another file: --output");
  if (result.reason === "no-folder")
    throw new RequestError(
      `the folder of ${file} does not exist`,
      `create it: mkdir -p ${shellWord(dirname(file))}`,
    );
  throw new EnvironmentError(`cannot write ${file} (${result.detail})`, "choose another file: --output");
}
