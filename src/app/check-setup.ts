import { buildPlanFinding } from "../core/analyze/catalog.ts";
import { findOutputProblem } from "../core/analyze/preparation.ts";
import type { PlanDraft } from "../core/draft.ts";
import { matcher } from "../core/ownership/match.ts";
import { parsePattern } from "../core/ownership/parse.ts";
import type { Env, SetupCommand } from "../core/plan.ts";
import type { Diagnostic, Located } from "../core/source.ts";
import { createGit, isIgnored, listTracked } from "../git/index.ts";
import { createGitSpawn } from "../process/git-spawn.ts";

type Place = { readonly cwd: string; readonly env: Env };

/** What the repository says about inputs and outputs of setup commands. Outside of a repository, nothing. */
export async function checkSetup(draft: PlanDraft, { cwd, env }: Place): Promise<Diagnostic[]> {
  const drafts = [draft.prepare, ...draft.tasks.map(({ settings }) => settings.prepare)];
  const declared = drafts.flatMap(({ setup }) => setup ?? []).filter(({ value }) => value.outputs);
  if (declared.length === 0) return [];
  const git = createGit({ spawn: createGitSpawn(), env });
  const tracked = await listTracked(git, cwd);
  if (tracked === null || tracked.root === null) return [];
  const paths = tracked.files.map(({ path }) => path);
  const root = tracked.root;
  const found = await Promise.all(
    declared.map(async (command) => [
      ...(await findBadOutputs(command, { paths, isIgnored: (path) => isIgnored(git, root, path) })),
      ...findUnusedInputs(command, paths),
    ]),
  );
  return found.flat();
}

type Known = { readonly paths: readonly string[]; readonly isIgnored: (path: string) => Promise<boolean> };

async function findBadOutputs({ value, at }: Located<SetupCommand>, { paths, isIgnored }: Known) {
  const found: Diagnostic[] = [];
  for (const written of value.outputs ?? []) {
    if (findOutputProblem(written) !== null) continue; // reported without a repository
    const output = written.replace(/^(?:\.\/)+|\/+$/g, "");
    const isTracked = paths.some((path) => path === output || path.startsWith(`${output}/`));
    if (!isTracked && (await isIgnored(output))) continue;
    const kind = isTracked ? "tracked" : "not-ignored";
    found.push(buildPlanFinding("setup-reuse", { kind, path: written }, at));
  }
  return found;
}

/** Its result would be given to trees that it does not fit. */
function findUnusedInputs({ value, at }: Located<SetupCommand>, paths: readonly string[]): Diagnostic[] {
  return (value.inputs ?? []).flatMap((written) => {
    const parsed = parsePattern(written);
    if (!parsed.ok || paths.some((path) => matcher(parsed.pattern)(path) !== false)) return [];
    return [
      buildPlanFinding("setup-reuse", { kind: "unused-input", path: written }, at, { severity: "warning" }),
    ];
  });
}
