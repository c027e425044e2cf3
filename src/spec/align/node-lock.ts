/** What a lock file has: all versions by name, and those that the project itself gets. */
export type NodeLock = {
  readonly locked: ReadonlyMap<string, readonly string[]>;
  readonly direct: ReadonlyMap<string, string>;
};

/** Of packages that are named in package.json: by name, with the range that stands there. */
export type Named = ReadonlyMap<string, string>;

/** A file that is no JSON is judged by the tools of the project. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

export function addVersion(to: Map<string, string[]>, key: string, version: string): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [version]);
  else known.push(version);
}

/** package-lock.json: by the places of packages from npm 7 on, before that by their names. */
export function npmLock(text: string): NodeLock {
  const json = objectOf(parsed(text));
  const direct = new Map<string, string>();
  const locked = new Map<string, string[]>();
  const add = (name: string, version: unknown, isTop: boolean): void => {
    if (typeof version !== "string") return;
    addVersion(locked, name, version);
    if (isTop) direct.set(name, version);
  };
  for (const [place, about] of Object.entries(objectOf(json["packages"]))) {
    const at = place.lastIndexOf("node_modules/");
    if (at !== -1) add(place.slice(at + "node_modules/".length), objectOf(about)["version"], at === 0);
  }
  if (locked.size > 0) return { direct, locked };
  for (const [name, about] of Object.entries(objectOf(json["dependencies"])))
    add(name, objectOf(about)["version"], true);
  return { direct, locked };
}

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

/**
 * pnpm-lock.yaml, line by line: these files are long, always written by pnpm, and only a few of their lines matter here. What the
 * project itself gets stands under `importers: .:`, in older files at the top.
 */
export function pnpmLock(text: string): NodeLock {
  const direct = new Map<string, string>();
  const locked = new Map<string, string[]>();
  const path: string[] = [];
  for (const line of text.split("\n")) {
    const [, blanks = "", quotedKey, plainKey, value = ""] =
      /^( *)(?:'([^']+)'|([^\s'"][^\s]*?)):(?: (.*))?$/.exec(line.trimEnd()) ?? [];
    const key = quotedKey ?? plainKey;
    if (key === undefined) continue;
    path.length = Math.floor(blanks.length / 2); // texts over several lines have any number of them
    path.push(key);
    const found = directVersion(path, value);
    if (found !== null) direct.set(found.name, found.version);
    const other = path.length === 2 && path[0] === "packages" ? lockedAt(key) : null;
    if (other !== null) addVersion(locked, other.name, other.version);
  }
  return { direct, locked };
}

type Found = { readonly name: string; readonly version: string };

const LISTS = new Set(["dependencies", "devDependencies", "optionalDependencies"]);

function directVersion(path: readonly string[], value: string): Found | null {
  const inRoot = path[0] === "importers" && path[1] === "." ? path.slice(2) : path;
  const [list = "", name = "", last] = inRoot;
  if (!LISTS.has(list) || name === "" || (last !== undefined && last !== "version") || value === "")
    return null;
  if (inRoot.length > 3) return null;
  const version = /^'?(\d[^\s'(_]*)/.exec(value)?.[1];
  return version === undefined ? null : { name, version };
}

/** `zod@3.22.4`, `/zod@3.22.4(react@18.0.0)`, `/zod/3.22.4`. */
function lockedAt(key: string): Found | null {
  const found = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^\s(_]*)/.exec(key);
  return found === null ? null : { name: found[1] as string, version: found[2] as string };
}
