// Which files of the tree the gates of a plan run: `./scripts/check.sh`, `bash ci/test.sh`, `cd web && node check.mjs`, the
// Makefile of `make test`. What a line computes is not known, and not guessed at.

import type { Gate } from "../plan.ts";
import { scriptsReached } from "./package-scripts.ts";
import { below, runBy } from "./run-by-command.ts";
import { shellParts, type Word } from "./shell-commands.ts";

export type GateScripts = {
  readonly files: ReadonlySet<string>;
  /** By package.json: the names of its scripts that are run. */
  readonly packages: ReadonlyMap<string, ReadonlySet<string>>;
};

export function gateScripts(gates: Iterable<Pick<Gate, "run" | "dir">>): GateScripts {
  const found: Found = { files: new Set(), packages: new Map() };
  const seen = new Set<string>();
  for (const { run, dir } of gates) {
    const key = JSON.stringify([run, dir]);
    if (seen.has(key)) continue;
    seen.add(key);
    const from = { dir: below("", dir ?? ""), depth: 0 };
    if (run.kind === "shell") readLine(run.line, from, found);
    else readCommand(run.argv, from, found);
  }
  return found;
}

/** The same with the files that scripts of package.json run; `textOf` gives that file as it was before the work. */
export function withPackages(scripts: GateScripts, textOf: (file: string) => string | null): GateScripts {
  const found: Found = { files: new Set(scripts.files), packages: new Map() };
  for (const [file, names] of scripts.packages) {
    const dir = file.split("/").slice(0, -1).join("/");
    for (const line of scriptsReached(textOf(file), names).values()) readLine(line, { dir, depth: 0 }, found);
  }
  return { files: found.files, packages: scripts.packages };
}

type Found = { readonly files: Set<string>; readonly packages: Map<string, Set<string>> };

/** The folder that a command runs in, from the root; null where nobody can tell. */
type From = { readonly dir: string | null; readonly depth: number };

/** A shell in a shell in a shell: nobody writes more by hand. */
const MAX_DEPTH = 3;

function readLine(line: string, { dir, depth }: From, found: Found): void {
  if (depth > MAX_DEPTH) return;
  const outer: (string | null)[] = [];
  let here = dir;
  for (const part of shellParts(line)) {
    if (part.kind === "open") outer.push(here);
    else if (part.kind === "close") here = outer.pop() ?? null;
    else {
      const words = withoutLeading(part.words);
      if (words[0] === "cd" || words[0] === "pushd") here = below(here, words[1]);
      else readCommand(words, { dir: here, depth }, found);
    }
  }
}

function readCommand(words: readonly Word[], { dir, depth }: From, found: Found): void {
  if (dir === null) return;
  for (const run of runBy(words, dir)) {
    if (run.kind === "file") found.files.add(run.path);
    else if (run.kind === "line") readLine(run.line, { dir, depth: depth + 1 }, found);
    else found.packages.set(run.file, (found.packages.get(run.file) ?? new Set()).add(run.name));
  }
}

/** What stands in front of a program: words of the shell, and variables. */
function withoutLeading(words: readonly Word[]): readonly Word[] {
  const start = words.findIndex((word) => word === null || !LEADING.test(word));
  return start === -1 ? [] : words.slice(start);
}

const LEADING = /^(?:if|then|elif|else|while|until|do|!|\{|time|exec|command|[A-Za-z_]\w*=.*)$/s;
