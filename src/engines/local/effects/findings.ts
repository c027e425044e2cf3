// What is in the work of an attempt that somebody should know: paths outside its claims, secrets, planted hooks, files that
// plait had copied in. What blocks keeps the work from being merged; it is saved all the same.

import { stat } from "node:fs/promises";
import type { EpochMs, Finding } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { allowsSecrets } from "../../../core/ownership/guarded.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { otherCommand, plait } from "../../../core/text/command.ts";
import { fix, plainText, sentence } from "../../../core/text/sentence.ts";
import {
  addedSecrets,
  changeTexts,
  commitTexts,
  countCommits,
  type FoundSecret,
  hooksInTree,
  type JudgedChange,
  pathsInHistory,
  plantedSince,
  type Saved,
  type SecretSearch,
  unresolvedPaths,
} from "../../../git/index.ts";
import { KNOWN_VALUE } from "../../../process/mask/masker.ts";
import type { RunContext } from "../run-context.ts";
import { type Creator, missingFileFindings, ownershipFindings } from "./ownership.ts";

type Author = Creator & {
  readonly task: Task;
  readonly plan: Plan;
  readonly attempt: AttemptId;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  /** It went on with another's work: with conflicts marked in the files, where it did not merge. */
  readonly isFix: boolean;
  /** Paths of any task that it was asked to fit to a target that moved. */
  readonly fitted: readonly string[];
  /** Report files of its needs, which it was given to read. */
  readonly handed: readonly string[];
};

export type FindingsSearch = {
  readonly in: (saved: Saved, author: Author) => Promise<Finding[]>;
  /** They are recorded: what was planted is held against nobody else. Not before, because a save may have to be done again. */
  readonly recorded: (findings: readonly Finding[]) => void;
};

export function findingsSearch(site: RunContext): FindingsSearch {
  // A planted file is held against one attempt: others that ran at the same time are not to blame for it.
  const told = new Set<string>();
  return {
    in: async (saved, author) => {
      const { task } = author;
      const planted = await plantedFindings(site, { author, saved, told });
      const own =
        task.access === "read-only"
          ? readOnlyFindings(saved)
          : [
              ...notSavedFindings(saved),
              ...submoduleFindings(saved),
              ...(await ownershipFindings(site, saved, author)),
              ...(await preparedFindings(site, saved)),
              ...(await handedFindings(site, saved, author)),
              ...(await secretFindings(site, saved, task)),
              ...(await movedFindings(site, saved)),
              ...(author.isFix ? await unresolvedFindings(site, saved) : []),
              ...(await missingFileFindings(site, saved, author)),
            ];
      return capped([...own, ...planted].map((one) => ({ ...one, path: site.masker.text(one.path) })));
    },
    recorded: (findings) => {
      for (const finding of findings) if (finding.kind === "planted") told.add(toldKey(finding));
    },
  };
}

const MOST_OF_A_KIND = 100;

/** A fact stays small whatever an agent leaves (I10): the first of each kind, and one that stands for the rest. */
function capped(findings: readonly Finding[]): Finding[] {
  return [...new Set(findings.map(({ kind }) => kind))].flatMap((kind) => {
    const all = findings.filter((one) => one.kind === kind);
    const rest = all.slice(MOST_OF_A_KIND);
    const [first] = rest;
    if (first === undefined) return all;
    const detail = `and ${rest.length} more like this`;
    return [...all.slice(0, MOST_OF_A_KIND), { ...first, detail, blocks: rest.some(({ blocks }) => blocks) }];
  });
}

const blocking = (kind: Finding["kind"], path: string, detail: string): Finding => ({
  ...{ kind, path, detail, blocks: true },
});

/** Work that could not be saved: better merge none of it than half. */
function notSavedFindings({ leftBehind }: Saved): Finding[] {
  return leftBehind.map(({ path, why }) => blocking("not-saved", path, `not saved: ${why}`));
}

/** Uncommitted changes inside a submodule are not part of the tree around it and would be lost with the merge. */
function submoduleFindings({ submodules }: Saved): Finding[] {
  return submodules.flatMap(({ path, from, to, isUncommitted, hasNewFiles, isPublished, ref }): Finding[] => {
    const moved = `submodule ${from.slice(0, 7)} → ${to.slice(0, 7)}`;
    const where = isPublished
      ? ""
      : `, not on any branch of its remote: push it from ${path} (${ref}/HEAD there)`;
    const known = [
      ...(hasNewFiles ? [`new files are not committed; saved there as ${ref}/files`] : []),
      ...(from === to ? [] : [`${moved}${where}`]),
    ];
    return [
      ...(isUncommitted ? [blocking("submodule", path, UNCOMMITTED)] : []),
      ...known.map((detail): Finding => ({ kind: "submodule", path, detail, blocks: false })),
    ];
  });
}

const UNCOMMITTED =
  "uncommitted changes inside the submodule: commit what belongs to your task, revert the rest";

/** Nothing of it is merged, so nothing of it blocks. */
function readOnlyFindings({ paths }: Saved): Finding[] {
  return paths.map(({ path, change }) => ({
    kind: "read-only",
    path,
    detail: `${change} by a read-only task; it is saved, not merged`,
    blocks: false,
  }));
}

/** Also what was committed and taken out again: a commit that the history keeps would carry it. */
async function preparedFindings(
  { shadow, copies }: RunContext,
  { since, result }: Saved,
): Promise<Finding[]> {
  if (copies.all.length === 0) return [];
  const history = { since: since.commit, until: result.commit, paths: "all" } as const;
  const touched = await pathsInHistory(shadow, history);
  const detail = "copied into the worktree by plait; must not be in any of your commits";
  return touched.filter(copies.has).map((path) => blocking("prepared-path", path, detail));
}

/** They lie only where the base has nothing, and git does not see them: a commit that adds one was forced to. */
async function handedFindings(
  { shadow }: RunContext,
  { since, result }: Saved,
  { handed }: Author,
): Promise<Finding[]> {
  if (handed.length === 0) return [];
  const history = { since: since.commit, until: result.commit, paths: "added" } as const;
  const added = await pathsInHistory(shadow, history);
  const detail = "a report of another task, copied by plait; must not be in any of your commits";
  const own = added.filter((path) => handed.includes(path));
  return own.map((path) => blocking("prepared-path", path, detail));
}

/** Also what was added and taken out again: the history that is merged would carry it. */
async function secretFindings(
  { shadow, masker }: RunContext,
  { since, result, paths }: Saved,
  { consent = [] }: Task,
): Promise<Finding[]> {
  const looksSecret = (text: string) => masker.text(text) !== text;
  const allowed = (kind: string | null, path: string): string | null =>
    kind !== KNOWN_VALUE && allowsSecrets(consent, path) ? null : kind;
  const search: SecretSearch = {
    inText: (text, path) => allowed(masker.kind(text), path),
    inBinary: (content, path) => allowed(masker.kindInBinary(content), path),
  };
  const commits = { since: since.commit, until: result.commit };
  const { found, skipped } = await addedSecrets(
    shadow,
    { from: since.tree, to: result.tree, commits },
    search,
  );
  const isSaid = looksSecret(await commitTexts(shadow, commits));
  const hits = new Map(found.map((one) => [one.path, one]));
  const named = paths.filter(({ path }) => looksSecret(path));
  const detail = "too large to search for secrets";
  return [
    ...[...hits.values()].map((one) => blocking("secret", one.path, formatSecret(one))),
    ...named.map(({ path }) => blocking("secret", path, "its name looks like a secret")),
    ...(isSaid ? [blocking("secret", "commit message", "a commit message looks like a secret")] : []),
    ...skipped.map(({ path }): Finding => ({ kind: "secret", path, detail, blocks: false })),
  ];
}

/** A value that is known must not be in any commit; what only looks like one may be allowed. */
function formatSecret({ path, line, kind }: FoundSecret): string {
  const what = `${line === null ? "its content" : `line ${line}`} looks like a secret (${kind})`;
  return kind === KNOWN_VALUE
    ? what
    : `${what}; if it is fake, set \`consent: "secrets:${path}"\` in the task`;
}

async function unresolvedFindings(
  { shadow }: RunContext,
  { result, paths: changed }: Saved,
): Promise<Finding[]> {
  const own = new Set(changed.map(({ path }) => path)); // the base may hold such lines as an example
  const paths = (await unresolvedPaths(shadow, result.tree)).filter((path) => own.has(path));
  return paths.map((path) => blocking("unresolved", path, "has conflict markers"));
}

/** A branch that now points to commits of this attempt: only its agent can have moved it. */
async function movedFindings({ shadow }: RunContext, { moved, since, result }: Saved): Promise<Finding[]> {
  const { repository } = shadow;
  const findings: Finding[] = [];
  for (const { ref, from, to } of moved) {
    if (from === null || to === null || !ref.startsWith("refs/heads/")) continue;
    const isPart = (await countCommits(repository, { from: result.commit, to })) === 0;
    if (!isPart || (await countCommits(repository, { from: since.commit, to })) === 0) continue;
    const undo = fix("to undo", otherCommand("git", "update-ref", [ref, from]));
    const detail = plainText(sentence`moved to ${to}, which this attempt made; ${undo}`);
    findings.push(blocking("planted", ref, detail));
  }
  return findings;
}

type PlantedSearch = { readonly author: Author; readonly saved: Saved; readonly told: ReadonlySet<string> };

async function plantedFindings(site: RunContext, { author, saved, told }: PlantedSearch): Promise<Finding[]> {
  const { shadow, fingerprint, folder, run } = site;
  const findings: Finding[] = [];
  for (const change of await plantedSince(shadow, { fingerprint, keptIn: folder.start })) {
    const { file, weight, isPutBack = false } = change;
    const blocks = weight === "runs" || fillsHooks(change, saved);
    const key = toldKey({ path: site.masker.text(file), blocks });
    if (told.has(key) || !(isPutBack || (await isChangedDuring(file, author)))) continue;
    const what = `${changeTexts(change).join(", ")} while this attempt ran, by it or by another program`;
    const undo = fix(`${blocks ? "" : "plait does not use it; "}to undo`, plait("restore", run));
    const detail = isPutBack
      ? `${what}; plait did not use it and restored it`
      : plainText(sentence`${what}; ${undo}`);
    findings.push({ kind: "planted", path: file, detail, blocks });
  }
  return findings;
}

/** A harmless change in a file does not hide a dangerous one, nor the reverse. */
const toldKey = ({ path, blocks }: Pick<Finding, "path" | "blocks">): string => `${blocks}:${path}`;

/** A folder that git is to take hooks from is harmless as long as the same attempt puts none into it. */
function fillsHooks({ settings }: JudgedChange, { paths }: Saved): boolean {
  const folders = (settings?.set ?? []).flatMap(({ key, value }) =>
    key === "core.hookspath" ? (hooksInTree(value) ?? []) : [],
  );
  return folders.some((folder) => paths.some(({ path }) => path.startsWith(`${folder}/`)));
}

/** The time of a change is that of the last tick of the system's clock. */
const TICK_MS = 20;

/** What changed before an attempt began or after all of its processes had ended is not its doing (I9). */
async function isChangedDuring(file: string, { startedAt, endedAt }: Author): Promise<boolean> {
  const found = await stat(file).catch(() => null); // gone meanwhile: whoever planted it took it away again
  return found === null || (found.ctimeMs >= startedAt - TICK_MS && found.ctimeMs <= endedAt);
}
