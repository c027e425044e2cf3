// A new tech spec takes the next free number. Others may do so at the same moment, under other titles: so the number is taken first, by
// a file that is named after it alone, and only one can make that. It is a whole tech spec already, so whatever ends the program
// here leaves nothing that is half made.

import { link, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { nextNumber, numberOfFile, techSpecFile, techSpecId } from "../../spec/tech-spec/names.ts";
import { type NewTechSpec, newTechSpecText, withRequirements } from "../../spec/tech-spec/new-text.ts";
import { errnoOf, errnoOrThrow } from "../../util/errno.ts";
import { makeFolders } from "../folders.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { hasNoLinks, type WriteResult, writeNewFile } from "../safe-file.ts";
import { folderInTheWay } from "./place.ts";
import { listTechSpecs, outOfReach, TECH_SPECS, techSpecFiles } from "./tech-specs.ts";

export type NewSpecInput = Omit<NewTechSpec, "id"> & {
  readonly root: string;
  readonly caps: Caps;
  /** The text of the product requirements, whose requirements it lists; null where there is none. */
  readonly prd?: string | null;
};

/** So many others at the same moment are no people. */
const MOST_TRIES = 1_000;

const DRAFT = `${TECH_SPECS}/draft`;

/** `path` is absolute. */
export async function makeTechSpec(
  input: NewSpecInput,
): Promise<OrRefusal<{ readonly id: string; readonly path: string }>> {
  const { root, caps, prd = null, ...spec } = input;
  const refusal = (await folderInTheWay(root, DRAFT)) ?? (await outOfReach(root));
  if (refusal !== null) return { ok: false, refusal };
  const folder = join(root, DRAFT);
  const known = await listTechSpecs({ root, cwd: root, caps });
  let number = nextNumber(known.flatMap((one) => one.number ?? []));
  try {
    await makeFolders(folder);
    for (let tries = 0; tries < MOST_TRIES; tries += 1, number += 1) {
      number = Math.max(number, nextNumber(await numbersIn(root)));
      const id = techSpecId(number);
      const took = await takeNumber(root, number, withRequirements(newTechSpecText({ ...spec, id }), prd));
      if (!took.ok && took.reason !== "exists") return cannotWrite(folder, took.detail);
      const path = join(folder, techSpecFile(number, spec.title));
      if (took.ok && (await renameNew(bareName(root, number), path))) return { ok: true, id, path };
    }
  } catch (error) {
    const code = errnoOrThrow(error);
    return cannotWrite(folder, code);
  }
  return refuse("environment", `no number is free in ${folder}`, "run the command again");
}

function cannotWrite(folder: string, code: string) {
  return refuse("environment", `cannot write to ${folder} (${code})`, "check its permissions and the disk");
}

async function numbersIn(root: string): Promise<number[]> {
  return (await techSpecFiles(root)).flatMap(({ name }) => numberOfFile(name) ?? []);
}

const bareName = (root: string, number: number): string => join(root, DRAFT, `${techSpecId(number)}.md`);

/** Whoever had the number before us and has given up its bare name has another file by now: we see it, since we came later. */
export async function takeNumber(root: string, number: number, text: string): Promise<WriteResult> {
  const written = await writeNewFile(bareName(root, number), text);
  if (!written.ok) return written;
  const holders = (await numbersIn(root)).filter((one) => one === number);
  if (holders.length === 1) return written;
  await rm(bareName(root, number), { force: true });
  return { ok: false, reason: "exists", detail: "EEXIST" };
}

/** Never over a file that is there. */
async function renameNew(from: string, to: string): Promise<boolean> {
  if (from === to) return true;
  try {
    await link(from, to);
    await rm(from, { force: true });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") {
      await rm(from, { force: true });
      return false;
    }
    if (!hasNoLinks(error)) throw error;
    await rename(from, to); // the number is ours, so nobody else makes this name
    return true;
  }
}
