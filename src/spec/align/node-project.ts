import { parseNpmSpec, pinnedVersion } from "../../formats/packages/spec.ts";
import { type Named, type NodeLock, npmLock, objectOf, parsed, pnpmLock, yarnLock } from "./node-lock.ts";
import type { Direct, Installed, ToolKind } from "./project.ts";

const LOCKS: {
  readonly [K in ToolKind]?: readonly (readonly [string, (text: string, named: Named) => NodeLock])[];
} = {
  npm: [
    ["package-lock.json", npmLock],
    ["npm-shrinkwrap.json", npmLock],
  ],
  pnpm: [["pnpm-lock.yaml", pnpmLock]],
  yarn: [["yarn.lock", yarnLock]],
  berry: [["yarn.lock", yarnLock]],
};

/** What a Node project has: package.json, and the lock file of the tool that it uses. */
export function nodeInstalled(texts: ReadonlyMap<string, string>, tool: ToolKind): Installed {
  const declared = declaredIn(texts.get("package.json") ?? "{}");
  const named = new Map(Array.from(declared, ([name, { range }]) => [name, range] as const));
  const [lockFile, read] = LOCKS[tool]?.find(([file]) => texts.has(file)) ?? [null, null];
  const lock = read === null ? pinned(named) : read(texts.get(lockFile) ?? "", named);
  const direct = new Map<string, Direct>();
  for (const [name, { range, isDev }] of declared) {
    const version = lock.direct.get(name) ?? null;
    direct.set(name, { range: rangeOf(name, range), isDev, extras: [], version });
  }
  return { direct, locked: lock.locked, lockFile, python: null };
}

function rangeOf(name: string, written: string): string | null {
  const parsed = parseNpmSpec(`${name}@${written}`);
  return parsed.ok && parsed.spec.source.kind === "range" ? parsed.spec.source.range : null;
}

/** What is for everybody counts more than what is for development. */
function declaredIn(packageJson: string): ReadonlyMap<string, { range: string; isDev: boolean }> {
  const found = new Map<string, { range: string; isDev: boolean }>();
  const json = objectOf(parsed(packageJson));
  for (const key of ["devDependencies", "optionalDependencies", "dependencies"]) {
    for (const [name, range] of Object.entries(objectOf(json[key])))
      if (typeof range === "string") found.set(name, { range, isDev: key === "devDependencies" });
  }
  return found;
}

/** Without a lock file, what is pinned by hand is as good as locked. */
function pinned(named: Named): NodeLock {
  const pins = [...named].flatMap(([name, range]) => {
    const version = pinnedVersion(range, "node");
    return version === null ? [] : [[name, version] as const];
  });
  return { direct: new Map(pins), locked: new Map(pins.map(([name, version]) => [name, [version]])) };
}
