import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ifMissing } from "../../util/errno.ts";
import { type Host, stateFolder } from "../host.ts";

/** One line for each thing that a person agreed to: its hash, and where it was, for whoever reads the file. */
const agreedFile = (host: Host): string => join(stateFolder(host), "agreed");

export async function readAgreed(host: Host): Promise<ReadonlySet<string>> {
  const text = await readFile(agreedFile(host), "utf8").catch(ifMissing(""));
  return new Set(text.split("\n").map((line) => line.split(" ", 1)[0] ?? ""));
}

export async function keepAgreed(
  host: Host,
  agreed: readonly { readonly hash: string; readonly path: string }[],
): Promise<void> {
  await mkdir(stateFolder(host), { recursive: true, mode: 0o700 });
  const lines = agreed.map(({ hash, path }) => `${hash} ${JSON.stringify(path)}\n`).join("");
  await appendFile(agreedFile(host), lines, { mode: 0o600 });
}
