// Several renames that happen all or not at all.

import { rename } from "node:fs/promises";
import { isThere } from "../is-there.ts";

export type Move = { readonly from: string; readonly to: string };

/** In their order. Where one cannot be done, those before it are taken back and the error is thrown. Nothing is written over. */
export async function moveAll(moves: readonly Move[]): Promise<void> {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      if (await isThere(move.to)) throw Object.assign(new Error(`${move.to} is there`), { code: "EEXIST" });
      await rename(move.from, move.to);
      done.push(move);
    }
  } catch (error) {
    for (const { from, to } of done.reverse()) await rename(to, from);
    throw error;
  }
}

/** The first of `name`, `name-2`, `name-3` that nobody has. */
export async function freeName(name: string): Promise<string> {
  for (let n = 2, at = name; ; n += 1) {
    if (!(await isThere(at))) return at;
    at = `${name}-${n}`;
  }
}
