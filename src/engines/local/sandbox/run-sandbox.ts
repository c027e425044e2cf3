// What stands around the programs of a run: nothing, unless the plan asks for walls; then bubblewrap, or where that does not work here
// the keeper, which only sees to it that nothing they start outlives them (I5).

import { mkdir, readFile, realpath, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { AgentHome } from "../../../agents/agent-home.ts";
import type { PathPattern } from "../../../core/ownership/pattern.ts";
import type { Env, SandboxSettings } from "../../../core/plan.ts";
import type { SandboxUsed } from "../../../core/sandbox.ts";
import {
  formatSandboxedConfig,
  type Lease,
  openToSandbox,
  removeFolder,
  type Shadow,
} from "../../../git/index.ts";
import { encloseByBubblewrap } from "../../../process/sandbox/bubblewrap.ts";
import type { Enclose } from "../../../process/sandbox/enclosure.ts";
import { findKeeper } from "../../../process/sandbox/keeper.ts";
import type { Walls } from "../../../process/sandbox/walls.ts";
import { ifMissing } from "../../../util/errno.ts";
import { type ConversationFolder, copyConversations } from "./conversations.ts";
import { buildInsideEnv } from "./inside-env.ts";
import { buildWalls, type SandboxSurroundings } from "./policy.ts";
import { listToolHomes, surveySurroundings } from "./survey.ts";

/** What can stand around programs on this machine. */
export type SandboxHere = {
  /** Null where the plan asks for no walls. */
  readonly used: SandboxUsed | null;
  /** Must not be seen inside: plait's state, temporary files and sockets. */
  readonly hidden: readonly string[];
  readonly perl: string | null;
};

/** As a driver writes it into the journal. */
export function recordSandbox({ used }: SandboxHere): { readonly sandbox?: SandboxUsed } {
  return used === null ? {} : { sandbox: used };
}

/** What a program in a worktree is. */
export type WalledProgram = {
  readonly lease: Lease;
  /** The root of the files that it sees. */
  readonly root: string;
  /** Complete, as it would be without walls. */
  readonly env: Env;
  readonly argv: readonly string[];
  /** Further files that it is told to read. */
  readonly files: readonly (string | null)[];
  readonly isReadOnly: boolean;
  /** What it may write all the same. */
  readonly reports: readonly PathPattern[];
  /** Of an agent: which task, and what it needs of the home. */
  readonly agent: { readonly task: string; readonly home: AgentHome } | null;
};

/** How one program is started. */
export type EnteredPlace = {
  readonly env: Env;
  readonly enclose: { readonly enclose?: Enclose };
  /** Null without walls. */
  readonly walls: Walls | null;
  readonly heldBack: readonly string[];
  /** To be called when it has ended. */
  readonly leave: () => Promise<void>;
};

export type RunSandbox = {
  readonly isWalled: boolean;
  /** No program inside can move a ref of the user's repository. */
  readonly keepsRefs: boolean;
  readonly enter: (inside: WalledProgram) => Promise<EnteredPlace>;
  readonly close: () => Promise<void>;
};

export type ToOpenSandbox = {
  /** Null: without walls. */
  readonly settings: SandboxSettings | null;
  readonly shadow: Shadow;
  /** The environment that plait was started with, and what programs inherit of it. */
  readonly env: Env;
  /** Must not be seen. */
  readonly closed: readonly string[];
  /** Holds what is kept until the run ends. */
  readonly folder: string;
  /** Where perl is; null: nowhere, or the plan asks for no walls. */
  readonly perl: string | null;
};

export async function openRunSandbox(asked: ToOpenSandbox): Promise<RunSandbox> {
  if (asked.settings === null) return openUnwalled(asked.perl);
  await mkdir(asked.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(asked.folder);
  const { grants } = asked.settings;
  const { env, closed } = asked;
  const around = await surveySurroundings({ env, closed, grants, cacheFolder: join(folder, "cache") });
  let count = 0;
  return {
    isWalled: true,
    keepsRefs: !opensRepository(around, asked.shadow.repository),
    enter: (inside) =>
      enterWalls(
        { ...asked, settings: asked.settings as SandboxSettings, folder, around, n: ++count },
        inside,
      ),
    close: () => removeFolder(folder),
  };
}

/** A grant at, in or around the repository: whoever can write there may move its branches. */
function opensRepository(
  { grants: { writable } }: SandboxSurroundings,
  { commonDir, workTree }: Shadow["repository"],
): boolean {
  const places = workTree === null ? [commonDir] : [commonDir, workTree];
  const withSlash = (path: string): string => (path === "/" ? path : `${path}/`);
  return writable
    .map(withSlash)
    .some((granted) =>
      places.map(withSlash).some((place) => place.startsWith(granted) || granted.startsWith(place)),
    );
}

function openUnwalled(perl: string | null): RunSandbox {
  const keeper = findKeeper(perl);
  const enclose = keeper === null ? {} : { enclose: keeper };
  return {
    isWalled: false,
    keepsRefs: false,
    enter: async ({ env }) => ({ env, enclose, walls: null, heldBack: [], leave: async () => undefined }),
    close: async () => undefined,
  };
}

type Opened = ToOpenSandbox & {
  readonly settings: SandboxSettings;
  readonly around: SandboxSurroundings;
  /** Counts the programs. */
  readonly n: number;
};

async function enterWalls(opened: Opened, inside: WalledProgram): Promise<EnteredPlace> {
  const { settings, shadow, around, folder, n } = opened;
  const { lease, agent, argv, isReadOnly } = inside;
  const { home } = around;
  const tmp = join(folder, `tmp-${n}`);
  await removeFolder(tmp); // of a driver that was killed
  await mkdir(tmp, { recursive: true, mode: 0o700 });
  const named = agent === null ? [] : await readNamedVariables(agent.home, inside.env);
  const isNeeded = (name: string): boolean =>
    named.includes(name) || (agent?.home.variables.test(name) ?? false);
  const { env, heldBack } = buildInsideEnv(inside.env, {
    inherited: opened.env,
    home,
    grants: settings.grants,
    isNeeded,
  });
  const ofAgent = agent === null ? null : await furnishAgent(opened, agent, env);
  const reports = isReadOnly ? await openReports(inside) : [];
  const walls = buildWalls(around, {
    root: inside.root,
    isReadOnly,
    reports,
    git: await openToSandbox(shadow, lease),
    readable: [
      ...inside.files.filter((file) => file !== null),
      ...(await listPrograms(argv, env, home)),
      ...(ofAgent?.readable ?? []),
    ],
    kept:
      ofAgent === null
        ? []
        : [{ path: ofAgent.conversations.path, by: ofAgent.conversations.by, isWritable: true }],
    scratch: ofAgent === null || ofAgent.folder.startsWith(`${home}/`) ? [] : [ofAgent.folder],
    files: [
      { path: join(home, ".gitconfig"), text: formatSandboxedConfig(shadow) },
      ...(ofAgent?.files ?? []),
    ],
    tmp,
  });
  const leave = async (): Promise<void> => {
    if (ofAgent !== null) await copyConversations(ofAgent.conversations);
    await rm(tmp, { recursive: true, force: true });
  };
  // What redirects git's own configuration would lead to files that are not there.
  const { GIT_CONFIG_GLOBAL: _, ...rest } = env;
  return { env: rest, enclose: { enclose: encloseByBubblewrap(walls) }, walls, heldBack, leave };
}

async function readNamedVariables({ folder, named }: AgentHome, env: Env): Promise<string[]> {
  const own = folder(env);
  if (own === null || named === undefined) return [];
  const text = await readFile(join(own, named.file), "utf8").catch(ifMissing(""));
  return [...text.matchAll(named.pattern)].map(([, name = ""]) => name);
}

type Furnished = {
  readonly folder: string;
  readonly readable: readonly string[];
  readonly files: Walls["files"];
  readonly conversations: ConversationFolder;
};

async function furnishAgent(
  { folder: kept }: Opened,
  { task, home }: NonNullable<WalledProgram["agent"]>,
  env: Env,
): Promise<Furnished | null> {
  const named = home.folder(env);
  if (named === null) return null;
  const folder = await realpath(named).catch(() => named);
  const by = join(kept, "conversations", task, home.conversations);
  await mkdir(by, { recursive: true, mode: 0o700 });
  const files: { path: string; text: string }[] = [];
  for (const { path, fill } of home.files) {
    const file = path(env);
    const text = file === null ? null : fill(await readFile(file, "utf8").catch(ifMissing(null)));
    if (file !== null && text !== null) files.push({ path: file, text });
  }
  const readable = await Promise.all(
    home.reads.map((name) => realpath(join(folder, name)).catch(() => null)), // not there
  );
  return {
    folder,
    // One that is a link leads elsewhere, to dotfiles for one: shown where it leads to, which is not where it is looked for.
    readable: readable.filter((path): path is string => path?.startsWith(`${folder}/`) === true),
    files,
    conversations: { path: join(folder, home.conversations), by },
  };
}

/** The program and, where that interprets another file, that. */
async function listPrograms(argv: readonly string[], env: Env, home: string): Promise<string[]> {
  const [program = "", script = ""] = argv;
  const found = program.includes("/")
    ? [program]
    : (env["PATH"] ?? "").split(":").map((folder) => join(folder, program));
  const first = await firstThere(found);
  const homes = await Promise.all(
    [first ?? "", isAbsolute(script) ? script : ""].map((path) => listToolHomes(path, home)),
  );
  return [...(first === null ? [] : [first]), ...homes.flat()];
}

async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths)
    if (isAbsolute(path) && (await realpath(path).catch(() => null)) !== null) return path;
  return null;
}

/** The folders that its reports go to: made, because a mount needs them. */
async function openReports({ root, reports }: WalledProgram): Promise<string[]> {
  const folders = reports.map((pattern) => {
    const parts = pattern.split("/");
    const special = parts.findIndex((part) => /[*?[{]/.test(part));
    return parts.slice(0, special === -1 ? parts.length - 1 : special).join("/");
  });
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  return folders;
}
