import { rm } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { readHistory } from "../../../git/index.ts";
import { predictClashes } from "../../../spec/design/clashes.ts";
import { contentsOf } from "../../../spec/design/contents.ts";
import { type DesignOverview, designOverview } from "../../../spec/design/overview.ts";
import type { SpecContents } from "../../../spec/spec-contents.ts";
import { specFiles } from "../../../spec/spec-files.ts";
import { errnoOf } from "../../../util/errno.ts";
import { makeFolders } from "../../folders.ts";
import { clockOf, gitFor, type Host, type OrRefusal } from "../../host.ts";
import { makeFolder } from "../../make-folder.ts";
import { writeNewFile } from "../../safe-file.ts";
import { type CheckedDesign, technologyFor } from "./check-design.ts";
import type { Decomposition } from "./prepare.ts";

export type GoodDesign = CheckedDesign & { readonly design: NonNullable<CheckedDesign["design"]> };

export function isGood(checked: CheckedDesign): checked is GoodDesign {
  return checked.design !== null && checked.errors.length === 0;
}

/** What the folder will say. Agents that plait knows have their skills, where the project maps none. */
export function folderContents(
  host: Host,
  decomposition: Decomposition,
  { design, dependencies }: GoodDesign,
): SpecContents {
  const { techSpecId, name, spec, prd, agents, requirements } = decomposition;
  const paths = new Map([spec, prd].flatMap((one) => (one === null ? [] : [[one.file, one.path] as const])));
  return contentsOf(design, {
    ...{ techSpecId, name },
    technology: technologyFor(decomposition, design.manifest?.technology),
    techSpec: spec?.path ?? null,
    prd: prd?.path ?? null,
    requirements: (requirements?.requirements ?? []).map(({ id, text, at }) => ({
      ...{ id, text, file: paths.get(at.file) ?? at.file, line: at.start.line },
    })),
    generatedAt: new Date(clockOf(host).now()).toISOString(),
    skillsMapping: new Map(agents.map((agent) => [agent.name, agent.skills])),
    dependencies,
  });
}

/** What whoever accepts it should have seen. */
export async function overviewFor(
  host: Host,
  { root }: Decomposition,
  contents: SpecContents,
): Promise<DesignOverview> {
  const history = await readHistory(gitFor(host), root);
  return designOverview(contents, history === null ? null : predictClashes(contents.tasks, history));
}

/** All files of the design at once, or none, and the design itself with them. Gives their paths below the folder. */
export async function writeFolder(
  { folder, root }: Decomposition,
  contents: SpecContents,
  design: string,
): Promise<OrRefusal<{ readonly files: readonly string[] }>> {
  const files = [
    ...specFiles(contents, relative(root, folder).replaceAll("\\", "/")),
    { path: "design.json", text: design.endsWith("\n") ? design : `${design}\n` },
  ];
  const made = await makeFolder(folder, files);
  return made.ok ? { ok: true, files: files.map(({ path }) => path) } : made;
}

/** What was made a moment ago is not as it should be. */
export function takeBack({ folder }: Decomposition): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

type Kept =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly detail: string };

/**
 * A design beside the folder that was not made of it, so that nothing that was paid for is lost: `<folder>.design.json`, with what is
 * wrong with it in `<folder>.errors.txt`. Nothing is overwritten: names that are taken get a number.
 */
export async function keepDesign(
  folder: string,
  { design, errorsOf }: { readonly design: string; readonly errorsOf: ((path: string) => string) | null },
): Promise<Kept> {
  const problem = await makeFolders(dirname(folder)).then(() => null, errnoOf);
  if (problem !== null) return { ok: false, detail: `${dirname(folder)} cannot be created (${problem})` };
  for (let n = 1; n <= MOST; n += 1) {
    const stem = n === 1 ? folder : `${folder}-${n}`;
    const path = `${stem}.design.json`;
    const written = await writeNewFile(path, design);
    if (!written.ok && written.reason === "exists") continue;
    if (!written.ok) return { ok: false, detail: `${path} cannot be written (${written.detail})` };
    if (errorsOf === null) return { ok: true, paths: [path] };
    const beside = `${stem}.errors.txt`;
    const told = await writeNewFile(beside, errorsOf(path));
    return { ok: true, paths: told.ok ? [path, beside] : [path] };
  }
  return { ok: false, detail: `there are ${MOST} designs beside ${folder}` };
}

const MOST = 1_000;
