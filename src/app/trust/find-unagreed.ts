// What a run would execute because a file from somewhere else says so, as long as nobody agreed to it. Files that the user wrote in
// their own clone are theirs; see docs/adr/0032.

import { relative, resolve } from "node:path";
import type { ConfigFile } from "../../config/schema.ts";
import type { Plan } from "../../core/plan.ts";
import {
  type Execution,
  listAddresses,
  listCommands,
  originAt,
} from "../../core/select/preview/executions.ts";
import { listCommitted, listReceived, probeRepository, readCommitted } from "../../git/index.ts";
import { isInside } from "../folders.ts";
import { gitFor, type Host } from "../host.ts";
import { sha256 } from "../read-text.ts";
import { listSettingsExecutions, listSettingsPaths, mayExecute } from "./agent-settings.ts";
import { readAgreed } from "./agreed.ts";

/** A file, and what it would have a run execute. */
export type Unagreed = {
  /** As messages name it. */
  readonly name: string;
  readonly path: string;
  readonly executions: readonly Execution[];
  readonly hash: string;
  /** It was cloned, fetched or pulled. Otherwise nobody knows where it is from. */
  readonly isReceived: boolean;
};

export type TrustQuestion = {
  /** Null where only files of the repository are asked about. */
  readonly plan: Plan | null;
  /** The project's configuration; null where there is none. */
  readonly project: ProjectConfig | null;
  readonly besides?: readonly Source[];
};

export type ProjectConfig = { readonly file: string; readonly says: ConfigFile };

type Source = Pick<Unagreed, "name" | "path" | "executions">;

export async function findUnagreed(host: Host, asked: TrustQuestion): Promise<Unagreed[]> {
  const git = gitFor(host);
  const around = await probeRepository(git, host.cwd);
  const root = around.kind === "work-tree" ? around.root : null;
  const sources = [
    ...(asked.besides ?? []),
    ...listPlan(asked),
    ...listConfig(host, asked),
    ...(root === null ? [] : await listSettings(host, root, asked)),
  ].filter(({ executions }) => executions.length > 0);
  if (sources.length === 0) return [];
  const agreed = await readAgreed(host);
  const open = sources
    .map((source) => ({ ...source, hash: hashSource(source, root ?? host.cwd) }))
    .filter(({ hash }) => !agreed.has(hash));
  const home = root ?? resolve(host.cwd);
  const inside = open.filter(({ path }) => isInside(home, path));
  const paths = inside.map(({ path }) => path);
  const received = root === null ? [] : await listReceived(git, root, paths);
  return open.flatMap((source) => {
    const isReceived = received.includes(source.path);
    return isReceived || !inside.includes(source) ? [{ ...source, isReceived }] : [];
  });
}

/** Of the same words in another place, the programs are others. */
const hashSource = ({ path, executions }: Source, root: string): string =>
  sha256(JSON.stringify([root, path, executions]));

function listPlan({ plan }: TrustQuestion): Source[] {
  const path = plan?.source.absolute;
  if (plan === null || path === undefined) return []; // typed
  const executions = [...listCommands(plan), ...listAddresses(plan)];
  return [{ name: plan.source.path, path, executions }];
}

function listConfig({ cwd }: Host, { project }: TrustQuestion): Source[] {
  if (project === null) return [];
  const { file, says } = project;
  const { agents = {}, prepare = {}, notify = {}, traces = {}, integrate = {} } = says;
  const asCommands = (what: string, one: unknown): Execution[] =>
    one === undefined ? [] : [one].flat().map((text) => ({ what, text: formatConfigured(text) }));
  const asAddress = (what: string, url: string | undefined): Execution[] =>
    url === undefined ? [] : [{ what, text: originAt(url) }];
  const executions = [
    ...Object.entries(agents).flatMap(([name, { run, version }]) => [
      { what: `agent ${name}`, text: run.join(" ") },
      ...(version === undefined ? [] : [{ what: `version of ${name}`, text: version.join(" ") }]),
    ]),
    ...asCommands("setup", prepare.setup),
    ...asCommands("teardown", prepare.teardown),
    ...asCommands("notify", notify.command),
    ...asAddress("notify webhook", notify.webhook),
    ...asAddress("traces", traces.endpoint),
    ...(integrate.checks ?? []).map(({ name, run }) => ({ what: `check ${name}`, text: run })),
    ...asCommands("openapi", integrate.openapi),
  ];
  return [{ name: file, path: resolve(cwd, file), executions }];
}

function formatConfigured(one: unknown): string {
  if (typeof one === "string") return one;
  const { line, argv } = one as { readonly line?: string; readonly argv?: readonly string[] };
  return line ?? argv?.join(" ") ?? JSON.stringify(one);
}

/** As the commit has them: that is what agents find in their worktrees. */
async function listSettings(host: Host, root: string, { plan }: TrustQuestion): Promise<Source[]> {
  const works = plan?.tasks.flatMap(({ work }) => (work.kind === "agent" ? [work.agent.use] : [])) ?? [];
  const paths = listSettingsPaths(new Set(works));
  if (paths.length === 0) return [];
  const git = gitFor(host);
  const files = (await listCommitted(git, root, paths)).filter(mayExecute);
  return Promise.all(
    files.map(async (file) => {
      const executions = listSettingsExecutions(file, await readCommitted(git, root, file));
      const path = resolve(root, file);
      return { name: relative(host.cwd, path), path, executions };
    }),
  );
}
