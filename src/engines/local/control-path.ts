// Where a driver listens, and how others find it. A socket's path may have about 100 bytes (104 on macOS with its end, 108
// on Linux), and Node cuts a longer one without a word: it would listen somewhere else. Run folders are deeper than
// that, so the socket lies in a short folder of the user's own, and its path in the file `door` of the run folder.

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, lstat, mkdir, open, rename, unlink } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { errnoOf, errorText, onErrno } from "../../util/errno.ts";

export type ControlPlace = {
  readonly run: string;
  /** The run's folder, absolute. */
  readonly runDir: string;
  /** XDG_RUNTIME_DIR, if there is one. */
  readonly runtimeDir: string | null;
  readonly tmpDir: string;
  readonly uid: number;
};

export type ControlPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

const MAX_PATH_BYTES = 100;

/**
 * The path of a run's socket, in a folder that is there and that nobody else can write to. The same for everybody who asks
 * with the same place on the same machine.
 */
export async function findControlPath(place: ControlPlace): Promise<ControlPath> {
  const name = createHash("sha256").update(`${place.runDir}\0${place.run}`).digest("hex").slice(0, 16);
  const problems: string[] = [];
  for (const folder of await foldersFor(place)) {
    const path = join(folder, name);
    const problem = pathProblem(path) ?? (await folderProblem(folder, place.uid));
    if (problem === null) return { ok: true, path };
    problems.push(problem);
  }
  return { ok: false, problem: problems.join("; ") };
}

/** Why a socket cannot have this path. Bytes, not characters. */
export function pathProblem(path: string): string | null {
  const bytes = Buffer.byteLength(path);
  if (!isAbsolute(path)) return `${path} is not an absolute path`;
  if (path.includes("\0")) return "a path cannot contain a NUL character";
  if (bytes <= MAX_PATH_BYTES) return null;
  return `${path} has ${bytes} bytes, more than the ${MAX_PATH_BYTES} of a socket path: set TMPDIR to a shorter folder`;
}

/** XDG_RUNTIME_DIR is often named where it does not exist (sudo, containers); it is not ours to make. */
async function foldersFor({ runtimeDir, tmpDir, uid }: ControlPlace): Promise<string[]> {
  const temporary = join(tmpDir, `plait-${uid}`);
  if (runtimeDir === null || !isAbsolute(runtimeDir)) return [temporary];
  const isOpen = await access(runtimeDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  return isOpen ? [join(runtimeDir, "plait"), temporary] : [temporary];
}

/** Makes the folder, or says why the one that is there cannot be trusted. */
async function folderProblem(folder: string, uid: number): Promise<string | null> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    if (errnoOf(error) !== "EEXIST") return `cannot create ${folder}: ${errorText(error)}`;
  }
  const found = await unlessMissing(lstat(folder));
  if (found === null) return `${folder} disappeared`;
  if (found.isSymbolicLink()) return `${folder} is a symbolic link: remove it`;
  if (!found.isDirectory()) return `${folder} is not a folder: remove it`;
  if (found.uid !== uid) return `${folder} belongs to user ${found.uid}, not to ${uid}`;
  // What others could have put there is not worth looking at, so its mode is not simply mended.
  if ((found.mode & 0o022) !== 0) return `${folder} is writable by other users: check and remove it`;
  // Also what a umask took away, or a folder that others may look into.
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  return null;
}

/** Tells others where the socket of this run is. */
export async function writeControlFile(runDir: string, path: string): Promise<void> {
  await replaceFile(join(runDir, "door"), `${path}\n`, join(runDir, "door.tmp"));
}

/** The path that the run's last driver listened at; null when there is none. Whether it still does, `connectToRun` finds out. */
export async function readControlFile(runDir: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await unlessMissing(open(join(runDir, "door"), flags));
  if (file === null) return null;
  try {
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const path = buffer.toString("utf8", 0, bytesRead).replace(/\n$/, "");
    return pathProblem(path) === null ? path : null;
  } finally {
    await file.close();
  }
}

export async function removeControlFile(runDir: string): Promise<void> {
  await unlessMissing(unlink(join(runDir, "door")));
}

/** Removes the socket of a driver that died. Whatever else lies there stays, and is the problem. */
export async function clearSocket(path: string): Promise<string | null> {
  const found = await unlessMissing(lstat(path));
  if (found === null) return null;
  if (!found.isSocket()) return `${path} is not a socket: remove it`;
  await unlessMissing(unlink(path));
  return null;
}

export function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch(onErrno({ ENOENT: null }));
}

/**
 * Readers see the old text or the new one. Not synced: what a power cut takes away is learned again. The caller holds a lock, so
 * one fixed temporary name will do.
 */
export async function replaceFile(path: string, text: string, temporary = `${path}.new`): Promise<void> {
  await unlessMissing(unlink(temporary)); // of a process that was killed right here
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(temporary, flags, 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
