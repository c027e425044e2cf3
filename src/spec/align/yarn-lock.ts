import { addVersion } from "./add-version.ts";
import type { Named, NodeLock } from "./node-lock.ts";

/**
 * yarn.lock of both generations. An entry is headed by all ranges that it stands for: `zod@^3.0.0, zod@^3.22.0:`, or
 * `"zod@npm:^3.0.0, zod@npm:^3.22.0":`. So the one of the project is found by the range in its package.json.
 */
export function yarnLock(text: string, named: Named): NodeLock {
  const direct = new Map<string, string>();
  const locked = new Map<string, string[]>();
  let heads: readonly string[] = [];
  for (const line of text.split("\n").map((one) => one.trimEnd())) {
    if (/^\S.*:$/.test(line) && !line.startsWith("#")) {
      heads = line.slice(0, -1).replaceAll('"', "").split(/,\s*/);
      continue;
    }
    const version = /^ {2}version:? "?([^\s"]+)"?$/.exec(line)?.[1];
    if (version === undefined || version.startsWith("0.0.0-use.")) continue; // a workspace
    for (const head of heads) {
      const at = head.indexOf("@", 1);
      const [name, range] = [head.slice(0, at), head.slice(at + 1)];
      if (at > 0 && locked.get(name)?.at(-1) !== version) addVersion(locked, name, version);
      const written = named.get(name);
      if (written !== undefined && (range === written || range === `npm:${written}`))
        direct.set(name, version);
    }
  }
  return { direct, locked };
}
