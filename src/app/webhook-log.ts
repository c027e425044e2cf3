import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What became of the webhooks of a plan, a line for each that was told of an end: `complete: answered 500 (example.com)`. */
export async function webhookLog(path: string): Promise<readonly string[]> {
  const text = await readFile(join(path, "hooks.log"), "utf8").catch(() => ""); // no hook was run
  return text.split("\n").flatMap((line) => /^webhook ((?:complete|failure): .*)$/.exec(line)?.[1] ?? []);
}
