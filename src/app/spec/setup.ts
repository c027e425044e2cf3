// What a project needs before its first tech spec is worked on: the folder parallel/ with what explains it, and a section for agents that
// read CLAUDE.md. It may be asked for any number of times; what is there stays as it is.

import { realpath, rm, rmdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { hasSection, PARALLEL, setupFiles, withSection } from "../../spec/setup-files.ts";
import type { SpecFile, Technology } from "../../spec/spec-contents.ts";
import { type GuessedTechnology, guessTechnology, technologySigns } from "../../spec/technology.ts";
import { type OrRefusal, type Refusal, refuse } from "../host.ts";
import { makeFolder } from "../make-folder.ts";
import { readText, readTexts } from "../read-text.ts";
import { refuseWrite, replaceUnchanged, writeNewFile } from "../safe-file.ts";
import { folderInTheWay, kindAt } from "./place.ts";

export type SetUpItem = {
  /** From the root. */
  readonly file: string;
  readonly what: "created" | "there" | "section-added" | "section-there" | "no-file";
};

export type SetUp = { readonly items: readonly SetUpItem[] };

/** Everything is looked at before anything is written, and what was written goes again where the rest cannot be. */
export async function setUpSpecs(root: string, technology: Technology | null): Promise<OrRefusal<SetUp>> {
  const files = setupFiles(technology);
  const refusal = (await folderInTheWay(root, PARALLEL)) ?? (await fileInTheWay(root, files));
  if (refusal !== null) return { ok: false, refusal };
  const instructions = await findInstructions(root);
  if (!instructions.ok) return instructions;
  const made = await makeFiles(root, files);
  if (!made.ok) return made;
  const added = await addSection(instructions.file);
  if (added.ok) return { ok: true, items: [...made.items, added.item] };
  await undo(root, made);
  return added;
}

/** From files in the root of a project; null where none of them says it. */
export async function technologyOf(root: string): Promise<GuessedTechnology | null> {
  return guessTechnology(await readTexts(root, technologySigns, MOST_BYTES));
}

/** More than anybody writes into such a file. */
const MOST_BYTES = 4 * 1024 * 1024;

async function fileInTheWay(root: string, files: readonly SpecFile[]): Promise<Refusal | null> {
  for (const { path } of files) {
    const kind = await kindAt(join(root, PARALLEL, path));
    if (kind === null || kind === "file") continue;
    const message = `${PARALLEL}/${path} is a ${kind}, not a file`;
    return { kind: "request", message, hint: "move or delete it; nothing was changed" };
  }
  return null;
}

type Made = SetUp & { readonly isNewFolder: boolean };

async function makeFiles(root: string, files: readonly SpecFile[]): Promise<OrRefusal<Made>> {
  const folder = join(root, PARALLEL);
  const name = ({ path }: SpecFile) => `${PARALLEL}/${path}`;
  if ((await kindAt(folder)) === null) {
    const made = await makeFolder(folder, files);
    if (!made.ok) {
      const hint = "check the project folder's permissions; nothing was changed";
      return { ok: false, refusal: { ...made.refusal, hint } };
    }
    return {
      ok: true,
      isNewFolder: true,
      items: files.map((file) => ({ file: name(file), what: "created" })),
    };
  }
  const items: SetUpItem[] = [];
  for (const file of files) {
    const written = await writeNewFile(join(folder, file.path), file.text);
    if (!written.ok && written.reason !== "exists") {
      await undo(root, { items, isNewFolder: false });
      return refuseWrite(name(file), written.detail);
    }
    items.push({ file: name(file), what: written.ok ? "created" : "there" });
  }
  return { ok: true, isNewFolder: false, items };
}

/** The file that Claude Code reads. `path` is the file itself where the name is a link. */
type Instructions = { readonly name: string; readonly path: string; readonly text: string };

const NAMES = ["CLAUDE.md", ".claude/CLAUDE.md"];

async function findInstructions(root: string): Promise<OrRefusal<{ readonly file: Instructions | null }>> {
  for (const name of NAMES) {
    const kind = await kindAt(join(root, name));
    if (kind === null) continue;
    const path = await realpath(join(root, name)).catch(() => null); // a link that leads nowhere
    if (path === null || !path.startsWith(`${await realpath(root)}${sep}`))
      return refuse("request", `${name} links to a file outside the project`, "add the section by hand");
    const read = await readText(path, MOST_BYTES);
    if (!read.ok) return refuse("request", `${name} ${read.detail}`, "fix or delete it");
    const shown = kind === "link" ? `${relative(root, path)} (target of ${name})` : name;
    return { ok: true, file: { name: shown, path, text: read.text } };
  }
  return { ok: true, file: null };
}

async function addSection(file: Instructions | null): Promise<OrRefusal<{ readonly item: SetUpItem }>> {
  if (file === null) return { ok: true, item: { file: NAMES[0] as string, what: "no-file" } };
  const { name, text } = file;
  if (hasSection(text)) return { ok: true, item: { file: name, what: "section-there" } };
  const added = await replaceUnchanged(file, text, withSection(text));
  return added.ok ? { ok: true, item: { file: name, what: "section-added" } } : added;
}

async function undo(root: string, { items, isNewFolder }: Made): Promise<void> {
  const created = items.filter(({ what }) => what === "created");
  for (const { file } of created) await rm(join(root, file), { force: true });
  if (isNewFolder) await rmdir(join(root, PARALLEL)).catch(() => undefined); // somebody has put something there
}
