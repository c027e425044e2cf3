// A link with a token in the user's browser. What a program is started with can be seen by every user of the machine, so the
// browser is given a file that leads on: for its user alone, in a folder of its own, and gone soon.

import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { platform } from "node:os";
import { join } from "node:path";
import { startDetached } from "../process/detach.ts";
import { systemClock } from "../util/clock.ts";
import { type Host, type OrRefusal, refuse, runtimeFolder, temporaryFolder } from "./host.ts";

/** Also a browser that has to start first has it by then. */
const KEPT_MS = 30_000;

/** `forget` removes what is left of it. */
export async function openInBrowser(
  host: Host,
  url: string,
): Promise<OrRefusal<{ forget: () => Promise<void> }>> {
  const folder = await ownFolder(runtimeFolder(host) ?? temporaryFolder(host));
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

/** Null where none can be made: a folder that is not there, a disk that is full. */
async function ownFolder(place: string): Promise<string | null> {
  return mkdtemp(join(place, "plait-open-")).catch(() => null);
}

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
