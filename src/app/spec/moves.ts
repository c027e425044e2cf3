// Several renames that happen all or not at all.

import { lstat, readdir, rename } from "node:fs/promises";
import { sep } from "node:path";
import { errnoOf, succeeds } from "../../util/errno.ts";
import { isThere } from "../folders.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { whyNot } from "../make-folder.ts";

export type Move = { readonly from: string; readonly to: string };

/** Why not all could be done, as `cause`, and what could not be taken back either: where it is now, and where it was. */
export class NotTakenBack extends Error {
  readonly left: readonly Move[];

  constructor(cause: unknown, left: readonly Move[]) {
    super(left.map(({ from, to }) => `${to} was ${from}`).join(", "), { cause });
    this.left = left;
  }
}

/** In their order. Where one cannot be done, those before it are taken back and the error is thrown. Nothing is written over. */
export async function moveAll(moves: readonly Move[]): Promise<void> {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      await moveOne(move);
      done.push(move);
    }
  } catch (error) {
    const left = await takeBack(done);
    throw left.length === 0 ? error : new NotTakenBack(error, left);
  }
}

async function moveOne({ from, to }: Move): Promise<void> {
  if (await isThere(to)) throw Object.assign(new Error(`${to} already exists`), { code: "EEXIST" });
  await rename(from, to);
}

/** As far as that goes. What stays behind in a folder that is itself taken back goes with it. */
async function takeBack(done: readonly Move[]): Promise<Move[]> {
  let left: Move[] = [];
  for (const { from, to } of done.toReversed()) {
    const isBack = await succeeds(moveOne({ from: to, to: from })); // the first error is what is told
    const now = (path: string) => (path.startsWith(`${to}${sep}`) ? from + path.slice(to.length) : path);
    if (isBack) left = left.map((one) => ({ from: now(one.from), to: now(one.to) }));
    else left.push({ from, to });
  }
  return left;
}

/** The first of `name`, `name-2`, `name-3` that nobody has. */
export async function freeName(name: string): Promise<string> {
  for (let n = 2, at = name; ; n += 1) {
    if (!(await isThere(at))) return at;
    at = `${name}-${n}`;
  }
}

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
