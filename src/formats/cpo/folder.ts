import { basename, dirname, relative } from "node:path";
import { escapeProblem } from "../../core/analyze/commands.ts";
import { startOf, type Unlisted } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { type FileRead, OUTSIDE, type PlanFiles, type PlanInput } from "../format.ts";
import { MANIFEST } from "./detect.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { packageManagerOf, type Root } from "./package-manager.ts";
import { type PlannedTask, type PlannedTasks, planTasks, stemOf } from "./planned-tasks.ts";
import { promptNames } from "./prompt.ts";
import { withoutEnd } from "./prose.ts";
import { parseSkillsMapping, SKILLS_FILE, type SkillsMapping } from "./skills.ts";
import { parseTaskSpec, type TaskSpec } from "./task-spec.ts";

/** The files of an artefact folder, each by the parser that knows it. Whatever cannot be read is told, at the place that asks for it. */
export type ReadManifest = {
  readonly manifest: Manifest | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly unlisted: Unlisted;
};

async function readManifest(input: PlanInput, caps: Caps, around: PlanFiles): Promise<ReadManifest> {
  if (input.kind === "file") return parseManifest({ file: input.path, text: input.text }, caps);
  const read = await around.read(MANIFEST);
  if (read.ok) return parseManifest(read, caps);
  const missing = buildFormatFinding("manifest-missing", { problem: read.problem }, startOf(input.path));
  return { manifest: null, diagnostics: [missing], unlisted: new Map() };
}

/** A manifest with its task files, and everything that is wrong in them. */
export type ReadTasks = Omit<ReadManifest, "manifest"> & {
  readonly manifest: Manifest;
  readonly specs: ReadSpecs;
  readonly planned: PlannedTasks;
};

export async function readTasks(
  input: PlanInput,
  caps: Caps,
  around: PlanFiles,
): Promise<ReadTasks | (ReadManifest & { readonly manifest: null })> {
  const { manifest, ...found } = await readManifest(input, caps, around);
  if (manifest === null) return { manifest, ...found };
  const specs = await readSpecs(manifest, caps, around);
  return { manifest, ...found, specs, planned: planTasks(manifest, specs.specs) };
}

type ReadSpecs = { readonly specs: readonly TaskSpec[]; readonly diagnostics: readonly Diagnostic[] };

/** Every file in tasks/ that a task may mean. Others, such as a README, are nobody's. */
async function readSpecs(manifest: Manifest, caps: Caps, around: PlanFiles): Promise<ReadSpecs> {
  const ids = manifest.waves.flatMap(({ tasks }) => tasks.map(({ id }) => `${id.value}.md`));
  const named = manifest.files.map(({ value }) => basename(value));
  const wanted = new Set([...ids, ...named]);
  const names = (await around.names("tasks")).filter(
    (name) => /\.md$/i.test(name) && (/^task-/i.test(name) || wanted.has(name)),
  );
  const specs: TaskSpec[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const path = `tasks/${name}`;
    const read = await around.read(path);
    if (read.ok) {
      const parsed = parseTaskSpec({ path, file: read.file, text: read.text }, caps);
      specs.push(parsed.spec);
      diagnostics.push(...parsed.diagnostics);
    } else {
      const params = { kind: "unreadable", path, problem: read.problem } as const;
      diagnostics.push(buildFormatFinding("spec-missing", params, manifest.at, { severity: "error" }));
    }
  }
  return { specs, diagnostics };
}

/** Beside the manifest, or in the folder of all artefact folders. */
export async function readSkills(
  caps: Caps,
  around: PlanFiles,
): Promise<{ mapping: SkillsMapping; diagnostics: readonly Diagnostic[] }> {
  for (const path of [SKILLS_FILE, `../${SKILLS_FILE}`]) {
    const read = await around.read(path);
    if (read.ok) return parseSkillsMapping(read, caps);
    if (!read.isMissing) return { mapping: new Map(), diagnostics: unread(path, read) };
  }
  return { mapping: new Map(), diagnostics: [] };
}

/** What every agent is told; null where there is nothing. */
export async function readContext(
  around: PlanFiles,
): Promise<{ readonly context: string | null; readonly diagnostics: readonly Diagnostic[] }> {
  const path = "context.md";
  const read = await around.read(path);
  if (!read.ok) return { context: null, diagnostics: unread(path, read) };
  return { context: read.text.trim() === "" ? null : read.text, diagnostics: [] };
}

/** That a file is missing is no finding. */
function unread(path: string, { file, isMissing, problem }: Exclude<FileRead, { ok: true }>): Diagnostic[] {
  return isMissing ? [] : [buildFormatFinding("file-unread", { path, problem }, startOf(file))];
}

/** `file` is how messages name it. */
export type PromptFile = { readonly path: string; readonly file: string; readonly text: string };

/** The prompt of a task: where the manifest says, or under one of the names that are in use. */
export async function readPrompt(
  { id, promptFile, spec }: PlannedTask,
  around: PlanFiles,
): Promise<{ prompt: PromptFile | null; diagnostics: Diagnostic[] }> {
  const at = promptFile?.at ?? id.at;
  const outside = promptFile && escapeProblem(promptFile.value);
  if (outside) {
    return {
      prompt: null,
      diagnostics: [noPrompt([promptFile.value], outside, { id, at, folder: around.named })],
    };
  }
  const names = promptFile ? [promptFile.value] : promptNames(id.value, spec && stemOf(spec));
  for (const path of names) {
    const read = await around.read(path);
    if (read.ok && read.text.trim() !== "")
      return { prompt: { path, file: read.file, text: read.text }, diagnostics: [] };
    const problem = read.ok ? "is empty" : read.problem;
    if (read.ok || !read.isMissing)
      return { prompt: null, diagnostics: [noPrompt([path], problem, { id, at, folder: around.named })] };
  }
  return { prompt: null, diagnostics: [noPrompt(names, "does not exist", { id, at, folder: around.named })] };
}

function noPrompt(
  names: readonly string[],
  problem: string,
  { id, at, folder }: { readonly id: Located<string>; readonly at: SourceRange; readonly folder: string },
): Diagnostic {
  return buildFormatFinding("prompt-missing", { task: id.value, files: names, problem, folder }, at);
}

/** A contract that is named and cannot be used: `problem` ends a sentence that begins with its path. */
export type MissingContract = { readonly path: string; readonly problem: string };

/** Contracts of a task that are there, and those that are not. */
export async function findContracts(
  { id, spec }: PlannedTask,
  around: PlanFiles,
): Promise<{ contracts: Located<string>[]; missing: MissingContract[]; diagnostics: Diagnostic[] }> {
  const contracts: Located<string>[] = [];
  const missing: MissingContract[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const contract of spec?.contracts ?? []) {
    const path = withoutEnd(contract.value, "/");
    const outside = escapeProblem(path) ?? ((await around.lookAt(path))?.isOutside ? OUTSIDE : null);
    const isThere = outside === null && (await around.names(dirname(path))).includes(basename(path));
    if (isThere) contracts.push({ value: path, at: contract.at });
    else {
      const problem = outside ?? "does not exist";
      missing.push({ path: contract.value, problem });
      const params = { task: id.value, path: contract.value, problem };
      diagnostics.push(buildFormatFinding("contract-missing", params, contract.at));
    }
  }
  return { contracts, missing, diagnostics };
}

/** Where the artefact folder lies in its repository ("" is its root), or null outside of one. */
export async function placeInRepository(around: PlanFiles): Promise<string | null> {
  const repository = await around.repositoryAt(around.folder);
  return repository === null ? null : relative(repository, around.folder).replaceAll("\\", "/");
}

/** The root of the project, from the artefact folder: that of the repository, or without one the folder above all artefact folders. */
export async function findRoot(around: PlanFiles): Promise<string> {
  const repository = await around.repositoryAt(around.folder);
  return repository === null ? "../.." : relative(around.folder, repository) || ".";
}

export async function findPackageManager(
  around: PlanFiles,
): Promise<ReturnType<typeof packageManagerOf> & Root> {
  const root = await findRoot(around);
  const names = await around.names(root);
  const read = names.includes("package.json") ? await around.read(`${root}/package.json`) : null;
  const found: Root = { names, packageJson: read?.ok ? read.text : null };
  return { ...packageManagerOf(found), ...found };
}
