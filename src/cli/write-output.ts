import { writeNewFile } from "../app/new-file.ts";
import { EnvironmentError, RequestError } from "./request-error.ts";

/** `--output <file>`: whole or not at all, and never over something that is there. */
export async function writeOutput(file: string, text: string): Promise<void> {
  const result = await writeNewFile(file, text);
  if (result.ok) return;
  if (result.reason === "exists")
    throw new RequestError(`${file} is there already, and nothing is written over it`, "name another file");
  if (result.reason === "no-folder")
    throw new RequestError(`there is no folder for ${file}`, "make it first, or name another file");
  throw new EnvironmentError(`${file} cannot be written (${result.detail})`, "name another file");
}
