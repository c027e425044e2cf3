import { lstat, readdir } from "node:fs/promises";
import { errnoOf } from "../../util/errno.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { whyNot } from "../make-folder.ts";
import { NotTakenBack } from "./moves.ts";

/** What lies where prompts are written, by name; null where there is nothing of that name. Nothing is written through a link. */
export async function namesAt(place: string): Promise<OrRefusal<{ readonly names: string[] | null }>> {
  try {
    const found = await lstat(place);
    if (found.isDirectory()) return { ok: true, names: (await readdir(place)).sort() };
    const what = found.isSymbolicLink() ? "a link" : "a file";
    const message = `${place} is ${what}, not a folder for prompts`;
    return refuse("request", message, "move or delete it; nothing was changed");
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT") return { ok: true, names: null };
    if (code === undefined) throw error;
    return refuse("environment", `cannot read ${place} (${code})`, "check its permissions");
  }
}

/** Why prompts could not be written and what that has changed, as the end of a sentence. */
export function whyNotMoved(error: unknown): string {
  if (!(error instanceof NotTakenBack)) return `${whyOne(error)}; nothing was changed`;
  const left = error.left.map(({ from, to }) => `cannot move ${to} back to ${from}`);
  return `${whyOne(error.cause)}; ${left.join(", ")}`;
}

function whyOne(error: unknown): string {
  const code = errnoOf(error);
  return code !== undefined && MEANWHILE.includes(code) ? "another program changed them" : whyNot(error);
}

/** Every name was looked at a moment before. */
const MEANWHILE = ["EEXIST", "ENOENT", "ENOTEMPTY"];
