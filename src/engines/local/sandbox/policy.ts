// What programs in the sandbox may see and change. A pure value, built here and nowhere else: what is not written here is readable and
// read-only, as most of the system must be.

import { join } from "node:path";
import type { SandboxedGit } from "../../../git/index.ts";
import type { Replaced, Walls } from "../../../process/sandbox/walls.ts";

/** Of the machine and the user, the same for the whole run. All paths are real and there. */
export type SandboxSurroundings = {
  readonly home: string;
  /** Where other users, other disks, sockets and temporary files of others are. */
  readonly shared: readonly string[];
  /** The user's checkout, plait's state, the folder of the run, its temporary files. */
  readonly closed: readonly string[];
  /** Folders of programs that would be hidden. */
  readonly tools: readonly string[];
  readonly grants: { readonly readable: readonly string[]; readonly writable: readonly string[] };
  /** Stand for folders of the home, for all programs of the run: caches. */
  readonly caches: readonly Replaced[];
};

/** Of one program. */
export type Occupant = {
  /** The root of the files that it works in, and those below that it may change although it is read-only. */
  readonly root: string;
  readonly isReadOnly: boolean;
  readonly reports: readonly string[];
  readonly git: SandboxedGit;
  /** Prompt files, the program of the agent, its settings. */
  readonly readable: readonly string[];
  /** Folders of the home that are kept. */
  readonly kept: readonly Replaced[];
  /** Folders that take writes, which are gone afterwards: an agent's own, where it is not in the home. */
  readonly scratch: readonly string[];
  readonly files: Walls["files"];
  readonly tmp: string;
};

/** Paths of the home that hold programs and no secrets. Not `.cargo`, `.config`, `.docker`, `.npmrc`: those hold some. */
export const HOME_TOOLS = [
  ...[".local/bin", ".local/lib", ".local/share/claude", ".local/share/uv/python", ".local/share/uv/tools"],
  ...[
    ".local/share/mise/installs",
    ".local/share/mise/shims",
    ".local/share/pnpm",
    ".nvm/versions",
    ".volta",
  ],
  ...[".fnm", ".asdf", ".pyenv", ".rbenv", ".rustup", ".cargo/bin", ".bun/bin", ".deno/bin", "go/bin", "bin"],
  ".sdkman/candidates",
] as const;

export const HIDDEN_PLACES = [
  ...["/run", "/home", "/root", "/mnt", "/media", "/srv", "/var/tmp", "/var/spool", "/var/mail"],
  ...["/tmp", "/dev/shm"],
] as const;

export const HOME_CACHES = [".npm", ".cache"] as const;

export function buildWalls(around: SandboxSurroundings, occupant: Occupant): Walls {
  const { home, shared, closed, tools, grants, caches } = around;
  const { root, isReadOnly, reports, git, kept, files, tmp } = occupant;
  const own = isReadOnly
    ? { readable: [root], writable: reports.map((path) => join(root, path)) }
    : { readable: [], writable: [root] };
  return {
    hidden: [...shared, ...closed, ...git.hidden].filter((path) => path !== "/tmp" && path !== "/dev/shm"),
    scratch: [home, ...occupant.scratch],
    readable: [...tools, ...grants.readable, ...git.readable, ...own.readable, ...occupant.readable],
    // What a read-only program does in git it does to itself.
    writable: [...(isReadOnly ? [] : git.writable), ...own.writable, ...grants.writable],
    replaced: [...caches, ...kept],
    files,
    tmp,
  };
}

/** Whether a path is seen as it is, could be read and is now hidden, or could be written and is now not. */
export function findDenial(walls: Walls, path: string): "hidden" | "read-only" | null {
  const depth = (folders: readonly string[]): number =>
    Math.max(
      -1,
      ...folders.filter((folder) => path === folder || path.startsWith(`${folder}/`)).map((it) => it.length),
    );
  const [hidden, readable] = [depth([...walls.hidden, ...walls.scratch, "/dev/shm"]), depth(walls.readable)];
  const open = depth([...walls.writable, ...walls.replaced.map((one) => one.path), "/tmp", "/proc", "/dev"]);
  if (open >= hidden && open >= readable && open >= 0) return null;
  return hidden > readable ? "hidden" : "read-only";
}
