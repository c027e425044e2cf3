// A tech spec goes on to another status: what its front matter says and the folder that it lies in change together. The new file is
// whole before the old one goes, so there is always one; the index of git is not touched.

import { lstat, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { withStatus } from "../../spec/tech-spec/edit.ts";
import { folderFor, type SpecStatus, statusWord, stepsFrom } from "../../spec/tech-spec/lifecycle.ts";
import type { TechSpec } from "../../spec/tech-spec/tech-spec.ts";
import { errnoOrThrow } from "../../util/errno.ts";
import { makeFolders } from "../folders.ts";
import { type OrRefusal, type Refusal, refuse } from "../host.ts";
import { markOf, refuseWrite, replaceUnchanged, writeNewFile } from "../safe-file.ts";
import { folderInTheWay } from "./place.ts";
import { type KnownSpec, TECH_SPECS } from "./tech-specs.ts";

export type Move = {
  readonly to: SpecStatus;
  /** `2026-01-15`. */
  readonly today: string;
  readonly caps: Caps;
};

/** `already`: it is what it should be, where it should be, and nothing was written. */
export type Moved = { readonly kind: "moved" | "in-place" | "already"; readonly path: string };

export async function moveTechSpec(
  found: KnownSpec & { readonly spec: TechSpec },
  { to, today, caps }: Move,
): Promise<OrRefusal<Moved>> {
  const { spec, path, file } = found;
  const illegal = illegalStep(spec, to);
  if (illegal !== null) return { ok: false, refusal: illegal };
  const place = placeFor(found, { to, today });
  if (spec.status === to && place === null) return { ok: true, kind: "already", path };
  const edited = withStatus(found.text ?? "", { status: to, today }, caps);
  if (edited === null) {
    const hint = `put status: ${statusWord(spec.status)} and last_updated: ${today} on separate lines`;
    return refuse("request", `cannot edit the front matter of ${file}`, hint);
  }
  const change = { path, before: found.text ?? "", text: edited };
  try {
    if (!(await lstat(path)).isFile())
      return refuse("request", `${file} is a link`, "pass the file it links to");
    if (place !== null) return await writeElsewhere(change, place);
    const written = await replaceUnchanged({ name: path, path }, change.before, edited);
    return written.ok ? { ok: true, kind: "in-place", path } : written;
  } catch (error) {
    return refuseWrite(path, errnoOrThrow(error));
  }
}

type Place = { readonly root: string; readonly folder: string };

/** Null where it is there already. One that lies in no tech-specs/ stays where it is, and an archived one keeps its year. */
function placeFor(
  { root, folderStatus }: KnownSpec,
  { to, today }: Pick<Move, "to" | "today">,
): Place | null {
  if (root === null || folderStatus === to) return null;
  return { root, folder: `${TECH_SPECS}/${folderFor(to, today.slice(0, 4))}` };
}

function illegalStep({ id, status }: TechSpec, to: SpecStatus): Refusal | null {
  const steps = stepsFrom(status);
  if (status === to || steps.includes(to)) return null;
  const message = `${id} cannot change from ${status} to ${to}`;
  const hint =
    steps.length === 0
      ? fix(
          "archived tech specs stay archived; create a new one",
          plait("spec new", { placeholder: "title" }),
        )
      : fix(`change it to ${steps.join(" or ")}`, plait("spec status", id, { set: steps[0] }));
  return { kind: "request", message, hint };
}

type Change = { readonly path: string; readonly before: string; readonly text: string };

async function writeElsewhere(
  { path, before, text }: Change,
  { root, folder }: Place,
): Promise<OrRefusal<Moved>> {
  const mark = await markOf(path, before);
  if (mark === null) return changed(path);
  const refusal = await folderInTheWay(root, folder);
  if (refusal !== null) return { ok: false, refusal };
  await makeFolders(join(root, folder));
  const target = join(root, folder, basename(path));
  const written = await writeNewFile(target, mark + text, (await lstat(path)).mode & 0o777);
  if (!written.ok && written.reason === "exists") {
    const message = `${folder}/${basename(path)} already exists`;
    return refuse("request", message, "compare both files and delete the wrong one");
  }
  if (!written.ok) return refuseWrite(target, written.detail);
  try {
    if ((await markOf(path, before)) !== mark) {
      await rm(target);
      return changed(path);
    }
    await rm(path);
  } catch (error) {
    await rm(target, { force: true }); // the old one is still there
    throw error;
  }
  return { ok: true, kind: "moved", path: target };
}

function changed(path: string) {
  const hint = "check the file, then run the command again";
  return refuse("request", `${path} was changed by another program`, hint);
}
