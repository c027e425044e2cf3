// Contents of objects, many in one call.

import type { GitOutput } from "./run.ts";

/** How git is asked: on the shadow, or without any configuration. */
export type Ask = (call: { readonly args: readonly string[]; readonly stdin: string }) => Promise<GitOutput>;

/** By name; what is not there is left out. */
export async function blobSizes(ask: Ask, names: readonly string[]): Promise<Map<string, number>> {
  const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const { stdout } = await ask({ args, stdin: names.map((name) => `${name}\n`).join("") });
  const answers = stdout.toString("latin1").matchAll(/^([0-9a-f]+) (\d+)$/gm);
  return new Map([...answers].map(([, name = "", size = ""]) => [name, Number(size)]));
}

/** All of them are in memory at once: ask for few. */
export async function readBlobs(ask: Ask, names: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const { stdout } = await ask({
    args: ["cat-file", "--batch"],
    stdin: names.map((name) => `${name}\n`).join(""),
  });
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf("\n", at);
    const [name = "", , size] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (size === undefined) continue; // "<name> missing"
    found.set(name, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** Null where it is no text. Strictly UTF-8: read any other way, bytes that differ could become the same text. */
export function blobText(content: Buffer): string | null {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return null; // a fatal decoder throws for nothing else
  }
}
