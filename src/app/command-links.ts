// The names of older command lines on PATH, for those who want them: small scripts that start plait under that name. A file of
// that name which plait did not write is somebody's program, and stays.

import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "../core/plan.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { errnoOf } from "../util/errno.ts";
import { shellQuote } from "../util/shell-quote.ts";
import { findProgram } from "./folders.ts";
import { type OrRefusal, refuse } from "./host.ts";

export type LinkInput = {
  /** Absolute. */
  readonly folder: string;
  readonly names: readonly string[];
  /** How this plait is started when none is on PATH. */
  readonly program: readonly string[];
};

export type Linked = { readonly paths: readonly string[] };

/** All of them or none. */
export async function linkCommands({ folder, names, program }: LinkInput): Promise<OrRefusal<Linked>> {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) {
    if ((await ownerOf(path)) !== "other") continue;
    const other = plait("compat", "link", { dir: { placeholder: "folder" } });
    const hint = fix("remove it, or choose another folder", other);
    return refuse("request", `${path} already exists and is not from plait`, hint);
  }
  try {
    await mkdir(folder, { recursive: true });
    for (const [i, path] of paths.entries()) {
      const fresh = `${path}.${process.pid}.tmp`;
      await writeFile(fresh, scriptOf(names[i] ?? "", program), { flag: "wx", mode: 0o755 });
      await rename(fresh, path).finally(() => rm(fresh, { force: true }));
    }
  } catch (error) {
    return refuse(
      "environment",
      `cannot write to ${folder} (${errnoOf(error)})`,
      "choose another folder: --dir <folder>",
    );
  }
  return { ok: true, paths };
}

/** Removes those that plait wrote. */
export async function unlinkCommands({ folder, names }: Omit<LinkInput, "program">): Promise<Linked> {
  const paths: string[] = [];
  for (const path of names.map((name) => join(folder, name))) {
    if ((await ownerOf(path)) !== "plait") continue;
    await rm(path, { force: true });
    paths.push(path);
  }
  return { paths };
}

/** How a command line is to be typed: by its own name where that on the PATH is one that plait wrote, else behind plait. */
export async function formatTyped(name: string, { PATH = "" }: Env): Promise<string> {
  const program = await findProgram(name, PATH);
  return program !== null && (await ownerOf(program)) === "plait" ? name : `plait ${name}`;
}

const MARK = "# written by: plait compat link";

async function ownerOf(path: string): Promise<"nobody" | "plait" | "other"> {
  try {
    if (!(await lstat(path)).isFile()) return "other"; // a link, also one that leads nowhere
    return (await readFile(path, "utf8")).includes(`\n${MARK}\n`) ? "plait" : "other";
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "nobody" : "other";
  }
}

/** The plait that is on PATH, so that an update counts; this one where there is none. */
function scriptOf(name: string, program: readonly string[]): string {
  const words = [...program, name].map(shellQuote).join(" ");
  return `#!/bin/sh
${MARK}
if command -v plait >/dev/null 2>&1; then exec plait ${name} "$@"; fi
exec ${words} "$@"
`;
}
