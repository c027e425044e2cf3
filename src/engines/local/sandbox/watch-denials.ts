// What the sandbox kept from a program, as far as that is in what it printed: an error of the system with a path that is hidden or
// read-only inside, and not so outside. Programs that say nothing are not found out about.

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { Walled } from "../../../core/sandbox.ts";
import { findDenial } from "./policy.ts";
import type { EnteredPlace } from "./run-sandbox.ts";

const MOST = 20;
const LONGEST_LINE = 65_536;

const WORDS =
  "(Read-only file system|Permission denied|No such file or directory|Directory nonexistent|Not a directory)";
const PATH = String.raw`(\/[^\s'"‘’\x60:\\,;)\]]+)`;
const FORMS = [
  new RegExp(String.raw`${PATH}['"’\x60]?: ${WORDS}`, "g"), // touch: cannot touch '/x': …, sh: cannot create /x: …
  new RegExp(String.raw`${WORDS}[^/\n]{0,20}${PATH}`, "g"), // Python: [Errno 30] Read-only file system: '/x'
  new RegExp(String.raw`(EROFS|EACCES|EPERM|ENOENT)[^/\n]{0,80}${PATH}`, "g"), // Node
];

export type Denials = {
  readonly look: (text: string) => void;
  readonly list: () => readonly Walled[];
};

export function watchDenials({ walls, heldBack }: Pick<EnteredPlace, "walls" | "heldBack">): Denials {
  const found = new Map<string, Walled>();
  const note = (walled: Walled): void => {
    if (found.size < MOST) found.set(`${walled.kind} ${walled.what}`, walled);
  };
  const look = (text: string): void => {
    const line = text.slice(0, LONGEST_LINE);
    for (const name of heldBack) if (line.includes(name)) note({ kind: "variable", what: name });
    if (walls === null || !/Read-only|denied|o such file|nonexistent|EROFS|EACCES|EPERM|ENOENT/.test(line))
      return;
    for (const [path, word] of findErrors(line)) {
      const denial = findDenial(walls, path);
      const isWrite = /Read-only|nonexistent|EROFS/.test(word);
      if (denial === null || (!isWrite && denial === "read-only")) continue;
      const what = findThere(path, isWrite);
      if (what !== null && findDenial(walls, what) !== null)
        note({ kind: isWrite ? "read-only" : "hidden", what });
    }
  };
  return { look: walls === null ? () => undefined : look, list: () => [...found.values()] };
}

function findErrors(line: string): (readonly [path: string, word: string])[] {
  return FORMS.flatMap((form) =>
    [...line.matchAll(form)].map(([, a = "", b = ""]) =>
      a.startsWith("/") ? ([a, b] as const) : ([b, a] as const),
    ),
  );
}

/** What there is outside to be let through: for a file that would be made, its folder. Null: it is missing outside as well. */
function findThere(path: string, isWrite: boolean): string | null {
  if (isThere(path)) return path;
  return isWrite && isThere(dirname(path)) ? dirname(path) : null;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false; // not there, or not for us to see
  }
}
