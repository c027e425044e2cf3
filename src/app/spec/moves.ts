// Several renames that happen all or not at all.

import { rename } from "node:fs/promises";
import { sep } from "node:path";
import { isThere } from "../is-there.ts";

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
    const isBack = await moveOne({ from: to, to: from }).then(
      () => true,
      () => false, // the first error is what is told
    );
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
