// Programs of the user's own: pager, editor, browser.

import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { configValue } from "../git/index.ts";
import { startDetached } from "../process/detach.ts";
import { runInTerminal } from "../process/terminal.ts";
import { systemClock } from "../util/clock.ts";
import { type Host, type OrRefusal, refuse, runtimeFolder, temporaryFolder } from "./host.ts";
import type { FoundRun } from "./runs.ts";

/** As git chooses it: GIT_PAGER, core.pager, PAGER, else less. Null where the user wants none. */
export function findPager({ env }: Pick<Host, "env">, { repository }: FoundRun): string | null {
  const named = env["GIT_PAGER"] ?? configValue(repository.config, "core.pager") ?? env["PAGER"] ?? "less";
  return named === "" || named === "cat" ? null : named;
}

/** False where it could not be started: then the text is still to be printed. */
export async function showInPager(
  { env, cwd }: Pick<Host, "env" | "cwd">,
  pager: string,
  text: string,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "plait-pager-"));
  const file = join(folder, "text");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // As git sets them: short texts are printed, colors stay, and the text is left on the screen.
    const usual = { LESS: "FRX", LV: "-c", ...env };
    const end = await runInTerminal({ argv: ["sh", "-c", `${pager} < "$1"`, "sh", file], cwd, env: usual });
    return end.ok && end.code !== 126 && end.code !== 127;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a file in the user's editor and waits. Gives why it could not be edited; null where it was. */
export async function editFile(
  { env, cwd }: Pick<Host, "env" | "cwd">,
  path: string,
): Promise<string | null> {
  const editor = env["VISUAL"] || env["EDITOR"] || "vi";
  // As git does it: the variable may hold options, and quotes around them.
  const end = await runInTerminal({ argv: ["sh", "-c", `${editor} "$@"`, editor, path], cwd, env });
  if (!end.ok) return end.message;
  return end.code === 0 ? null : `the editor ${editor} ended: ${end.signal ?? `exit code ${end.code}`}`;
}

/** Also a browser that has to start first has it by then. */
const KEPT_MS = 30_000;

/**
 * Opens a link with a token. Every user of the machine sees the arguments of a program, so the browser gets a file that leads on:
 * for its user alone, in a folder of its own, and gone soon. `forget` removes what is left of it.
 */
export async function openInBrowser(
  host: Host,
  url: string,
): Promise<OrRefusal<{ forget: () => Promise<void> }>> {
  const place = join(runtimeFolder(host) ?? temporaryFolder(host), "plait-open-");
  const folder = await mkdtemp(place).catch(() => null); // no such place, or the disk is full
  if (folder === null) return refuse("environment", "cannot create a temporary file", BY_HAND);
  const forget = async (): Promise<void> => {
    timer.cancel();
    await rm(folder, { recursive: true, force: true });
  };
  const timer = systemClock.setTimer(KEPT_MS, () => void forget().catch(() => undefined));
  const opener = platform() === "darwin" ? "open" : "xdg-open";
  if (await isOpened(host, { opener, folder, url }).catch(() => false)) return { ok: true, forget };
  await forget();
  return refuse("environment", `${opener} failed`, BY_HAND);
}

const BY_HAND = "open the link yourself";

type Opening = { readonly opener: string; readonly folder: string; readonly url: string };

async function isOpened(host: Host, { opener, folder, url }: Opening): Promise<boolean> {
  await chmod(folder, 0o700);
  const file = join(folder, "open.html");
  await writeFile(file, leadingTo(url), { mode: 0o600, flag: "wx" });
  const call = { argv: [opener, file], cwd: host.cwd, env: host.env, log: join(folder, "log") };
  const started = await startDetached(call);
  if (!started.ok) return false;
  const code = await Promise.race([started.exited, soon()]);
  return code === null || code === 0;
}

/** An opener that has not ended by then is the browser itself. */
const soon = (): Promise<null> =>
  new Promise((resolve) => void systemClock.setTimer(1_000, () => resolve(null)));

function leadingTo(url: string): string {
  return [
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${url}">`,
    `<title>plait</title><p><a href="${url}">plait</a></p>\n`,
  ].join("\n");
}
