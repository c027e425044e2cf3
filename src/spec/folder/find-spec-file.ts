import { findRoot } from "../../formats/cpo/folder.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { numberAsked, numberOfFile } from "../tech-spec/names.ts";

/** The tech spec of a manifest: its path from the root of the repository, and whether it is where the manifest says. */
export type SpecPath = { readonly path: string; readonly isMoved: boolean };

/** A tech spec moves with its status: then its id finds it. Null where it is nowhere. */
export async function findSpecFile(
  {
    sources: { techSpec },
    techSpecId,
  }: Pick<Manifest, "techSpecId"> & {
    readonly sources: Pick<Manifest["sources"], "techSpec">;
  },
  around: PlanFiles,
): Promise<SpecPath | null> {
  const root = await findRoot(around);
  const named = techSpec === null ? null : await around.lookAt(`${root}/${techSpec.value}`);
  if (techSpec !== null && named?.isFolder === false) return { path: techSpec.value, isMoved: false };
  const number = numberAsked(techSpecId ?? "");
  if (number === null) return null;
  const years = (await around.names(`${root}/tech-specs/archive`)).map((year) => `archive/${year}`);
  for (const folder of ["approved", "reference", "draft", ...years]) {
    const names = await around.names(`${root}/tech-specs/${folder}`);
    const name = names.find((one) => one.endsWith(".md") && numberOfFile(one) === number);
    if (name !== undefined) return { path: `tech-specs/${folder}/${name}`, isMoved: true };
  }
  return null;
}
