// Files of a dependency folder that hold the path of the checkout it was installed in: first lines of scripts, the environment of
// Python, editable installs. In a copy the path is that of the worktree, else a program there would use, or write to, the user's
// checkout. Anything of this kind that is not covered here is found by links-to-checkout.ts, and the copy is not used.

import { lstatSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FolderReference } from "./reference.ts";

/** Of one entry: a file that holds the path, or a link to it. */
export type Relocation =
  | {
      readonly path: string;
      readonly kind: "file";
      readonly text: string;
      readonly mode: number;
      readonly mtimeMs: number;
    }
  | { readonly path: string; readonly kind: "link"; readonly target: string };

/** Everything larger is not written by an installer. */
const MOST_BYTES = 262_144;

export type ToRelocate = {
  /** The copied folder, as it is at `root`. */
  readonly folder: string;
  readonly root: string;
  readonly reference: FolderReference;
};

export function findRelocations({ folder, root, reference }: ToRelocate): Relocation[] {
  const found: Relocation[] = [];
  const pattern = pathPattern(root);
  for (const [path, stamp] of reference.entries) {
    if (stamp.kind === "link" && stamp.target.startsWith(`${folder}/`))
      found.push({ path, kind: "link", target: stamp.target });
    if (stamp.kind !== "file" || stamp.size > MOST_BYTES || !mayHoldPaths(path)) continue;
    const bytes = readFileSync(join(folder, path));
    if (bytes.includes(0) || !bytes.includes(root)) continue;
    const text = bytes.toString("utf8");
    // A file in another encoding would not survive.
    if (text.search(pattern) < 0 || !Buffer.from(text).equals(bytes)) continue;
    found.push({ path, kind: "file", text, mode: stamp.mode, mtimeMs: Number(stamp.mtimeNs / 1_000_000n) });
  }
  return found;
}

/** The same kinds of files that links-to-checkout.ts reads. */
function mayHoldPaths(path: string): boolean {
  const name = basename(path);
  return (
    /^(?:\.?bin|Scripts)$/.test(basename(dirname(path))) ||
    /^(?:.*\.pth|__editable__.*|.*\.egg-link|direct_url\.json|pyvenv\.cfg)$/.test(name)
  );
}

export type RelocationTarget = { readonly folder: string; readonly from: string; readonly to: string };

/** Writes the entries with another path in them. An entry that is there is replaced, never written through. */
export function writeRelocations(
  relocations: readonly Relocation[],
  { folder, from, to }: RelocationTarget,
): void {
  const pattern = pathPattern(from);
  for (const one of relocations) {
    const place = join(folder, one.path);
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined)
      rmSync(place, { recursive: true, force: true });
    if (one.kind === "link") {
      symlinkSync(`${to}${one.target.slice(from.length)}`, place);
      continue;
    }
    const text = shortenFirstLine(one.text.replace(pattern, () => to));
    writeFileSync(place, text, { mode: one.mode });
    utimesSync(place, one.mtimeMs / 1000, one.mtimeMs / 1000);
  }
}

/** A path, and not the beginning of a longer name such as /work/shop-old. */
function pathPattern(root: string): RegExp {
  const literal = root.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`${literal}(?=[/\\s"'\`:;,)]|$)`, "g");
}

/** Systems cut a first line that is longer; Python's own installers then let the shell start the interpreter. */
const LONGEST_FIRST_LINE = 127;

function shortenFirstLine(text: string): string {
  const [, interpreter] = /^#!(\S+python[\d.]*)\n/.exec(text) ?? [];
  if (interpreter === undefined || interpreter.length + 2 <= LONGEST_FIRST_LINE) return text;
  const rest = text.slice(text.indexOf("\n") + 1);
  return `#!/bin/sh\n'''exec' "${interpreter}" "$0" "$@"\n' '''\n${rest}`;
}
