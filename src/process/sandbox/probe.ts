// Whether walls can be made here: the real command line is tried on folders made for it, and judged by what a program in it can do.
// Only where that fails are the words of bubblewrap read, for the reason.

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "../../core/plan.ts";
import type { SandboxProblem, SandboxProblemKind, SandboxUsed } from "../../core/sandbox.ts";
import { uniqueMarker } from "../markers.ts";
import { runCommand } from "../run-command.ts";
import { BUBBLEWRAP, encloseByBubblewrap } from "./bubblewrap.ts";
import type { Enclose } from "./enclosure.ts";

const TIMEOUT_MS = 10_000;
const OLDEST = [0, 8];

export type SandboxProbe = {
  /** Where folders may be made for the trial. */
  readonly folder: string;
  readonly env: Env;
};

export async function probeSandbox(probe: SandboxProbe): Promise<SandboxUsed> {
  if (process.platform !== "linux") return failed("platform", process.platform);
  const version = await readVersion(probe);
  if (version === null) return failed("missing", `${BUBBLEWRAP} is not on the PATH`);
  if (isOld(version)) return failed("old", `${BUBBLEWRAP} ${version}`);
  const problem = await tryWalls(probe);
  return problem === null ? { by: "bubblewrap", version } : { by: null, problem };
}

const failed = (kind: SandboxProblemKind, said: string): SandboxUsed => ({
  by: null,
  problem: { kind, said },
});

async function readVersion({ env }: SandboxProbe): Promise<string | null> {
  const end = await call([BUBBLEWRAP, "--version"], { env });
  return end === null ? null : (/(\d+(?:\.\d+)+)/.exec(end.output)?.[1] ?? null);
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest = 0, least = 0] = OLDEST;
  return major < oldest || (major === oldest && minor < least);
}

/** What each line of the trial says that must not be. */
const TRIAL = `
test -s "$1/hidden/secret" && echo "a hidden file can be read"
(echo x > "$1/hidden/new") 2> /dev/null && echo "a hidden folder can be written"
(echo x > "$1/new") 2> /dev/null && echo "a folder outside can be written"
(echo x > "$1/own/new") 2> /dev/null || echo "the own folder cannot be written"
(echo x > /tmp/new) 2> /dev/null || echo "/tmp cannot be written"
test "$$" -gt 9 && echo "processes outside can be seen"
unshare --user true 2> /dev/null && echo "a user namespace can be made"
exit 0
`;

async function tryWalls({ folder, env }: SandboxProbe): Promise<SandboxProblem | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const root = await realpath(await mkdtemp(join(folder, "probe-")));
  try {
    for (const name of ["hidden", "own", "tmp"]) await mkdir(join(root, name));
    await writeFile(join(root, "hidden/secret"), "secret\n");
    const enclose = encloseByBubblewrap({
      hidden: [join(root, "hidden")],
      scratch: [],
      // Below /tmp the folder itself is covered, so it is shown again.
      readable: [root],
      writable: [join(root, "own")],
      replaced: [],
      files: [],
      tmp: join(root, "tmp"),
    });
    const argv = ["/bin/sh", "-c", TRIAL, "probe", root] as const;
    const end = await call(argv, { env, enclose });
    if (end === null || end.code === null) return { kind: "other", said: "it did not end" };
    if (end.code !== 0) return { kind: await findCause(end.output), said: lastLine(end.output) };
    return end.output.trim() === ""
      ? null
      : { kind: "leaks", said: end.output.trim().replaceAll("\n", "; ") };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

type Called = { readonly code: number | null; readonly output: string };

/** Null where it could not be started. */
async function call(
  argv: readonly [string, ...string[]],
  { env, enclose }: { readonly env: Env; readonly enclose?: Enclose },
): Promise<Called | null> {
  const run = "probe-sandbox";
  const options = { timeoutMs: TIMEOUT_MS, marker: uniqueMarker(run, "probe"), runMarker: run };
  const command = { kind: "argv", argv } as const;
  const around = enclose === undefined ? {} : { enclose };
  const end = await runCommand({ command, cwd: "/", env }, { ...options, ...around });
  if (end.kind === "ended") return { code: end.exit.code, output: end.output };
  return end.failure.reason === "no-walls" ? { code: 1, output: end.failure.message } : null;
}

const CAUSES: readonly (readonly [RegExp, SandboxProblemKind])[] = [
  [/setting up uid map: Permission denied|RTM_NEWADDR/, "apparmor"],
  [/ENOSPC|No space left|max_\w*_namespaces/, "nested"],
  [/Failed to make \/ slave/, "docker"],
  [/mount proc on/, "proc"],
  [/does not support user namespaces/, "no-kernel"],
  [/No permissions to create(?: a)? new namespace|Creating new namespace failed/, "container"],
];

async function findCause(output: string): Promise<SandboxProblemKind> {
  const found = CAUSES.find(([words]) => words.test(output))?.[1] ?? "other";
  // Ubuntu says it in the words of the others as well.
  return found === "container" && (await isAppArmorStrict()) ? "apparmor" : found;
}

async function isAppArmorStrict(): Promise<boolean> {
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv")) return false;
  const setting = await readFile("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "utf8").catch(
    () => "0",
  );
  return setting.trim() === "1";
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
