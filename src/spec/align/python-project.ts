import { parseRequirement, pinnedVersion, pythonKey } from "../../formats/packages/spec.ts";
import { addVersion } from "./node-lock.ts";
import type { Direct, Installed } from "./project.ts";
import { type TomlEntry, tomlEntries, tomlStrings } from "./toml-lines.ts";

/** What a Python project has: pyproject.toml before requirements.txt, and the lock file of whichever tool it uses. */
export function pythonInstalled(texts: ReadonlyMap<string, string>): Installed {
  const pyproject = tomlEntries(texts.get("pyproject.toml") ?? "");
  const declared = declaredIn(pyproject);
  const requirements = texts.get("requirements.txt");
  const named = declared.length > 0 || requirements === undefined ? declared : requirementLines(requirements);
  const { lockFile, locked } = lockOf(texts, named);
  const direct = new Map<string, Direct>();
  for (const { key, ...one } of named) {
    const before = direct.get(key);
    if (before !== undefined && !before.isDev) continue; // what all need is not only for development
    const [version = null] = locked.get(key) ?? [];
    direct.set(key, { ...one, version });
  }
  const requires = pyproject.find(({ table, key }) => table === "project" && key === "requires-python");
  const oldest = />=\s*(\d+\.\d+)/.exec(requires?.value ?? "")?.[1] ?? null;
  return { direct, locked, lockFile, python: oldest };
}

type Declared = Omit<Direct, "version"> & { readonly key: string };

function declaredIn(pyproject: readonly TomlEntry[]): Declared[] {
  return pyproject.flatMap(({ table, key, value }) => {
    if (table === "project" && key === "dependencies") return declared(tomlStrings(value), false);
    if (table === "dependency-groups" || (table === "tool.uv" && key === "dev-dependencies"))
      return declared(tomlStrings(value), true);
    const poetry = /^tool\.poetry\.(dev-|group\.[\w-]+\.)?dependencies$/.exec(table);
    // Its ranges are its own: ^1.2 is no range of PEP 440.
    if (poetry === null || key === "python") return [];
    return [{ key: pythonKey(key), range: null, extras: [], isDev: poetry[1] !== undefined }];
  });
}

function requirementLines(text: string): Declared[] {
  const lines = text.split("\n").flatMap((line) => {
    const said = line.replace(/(?:^|\s)#.*$/, "").replace(/\\\s*$/, "");
    const named = said.trim().replace(/\s+--hash=.*$/, "");
    return named === "" || named.startsWith("-") ? [] : [named];
  });
  return declared(lines, false);
}

function declared(requirements: readonly string[], isDev: boolean): Declared[] {
  return requirements.flatMap((text) => {
    const parsed = parseRequirement(text);
    if (!parsed.ok) return []; // its own tools say what is wrong with it
    const { key, source, extras } = parsed.spec;
    return [{ key, extras, isDev, range: source.kind === "range" ? source.range : null }];
  });
}

type Lock = Pick<Installed, "lockFile" | "locked">;

/** Without a lock file, what is pinned by hand is as good as locked. */
function lockOf(texts: ReadonlyMap<string, string>, named: readonly Declared[]): Lock {
  for (const lockFile of ["uv.lock", "poetry.lock"]) {
    const text = texts.get(lockFile);
    if (text !== undefined) return { lockFile, locked: lockedPackages(text) };
  }
  const lines = texts.get("requirements.lock");
  const pins = lines === undefined ? named : requirementLines(lines);
  const locked = new Map<string, string[]>();
  for (const { key, range } of pins) {
    const version = range === null ? null : pinnedVersion(range, "python");
    if (version !== null) addVersion(locked, key, version);
  }
  return { lockFile: lines === undefined ? null : "requirements.lock", locked };
}

/** `[[package]]`, with a name and a version. */
function lockedPackages(text: string): ReadonlyMap<string, string[]> {
  const names = new Map<string, string>();
  const locked = new Map<string, string[]>();
  for (const { table, key, value } of tomlEntries(text)) {
    if (!table.startsWith("package#")) continue;
    const [word = ""] = tomlStrings(value);
    if (key === "name") names.set(table, pythonKey(word));
    const name = names.get(table);
    if (key === "version" && name !== undefined) addVersion(locked, name, word);
  }
  return locked;
}

/** Names in the root of a repository that tell which Python it is for. */
export const pythonVersionFiles = [".python-version", "pyproject.toml"] as const;

/** `3.12`: the Python that is chosen for the project, else the oldest that it is for. */
export function findPythonVersion(texts: ReadonlyMap<string, string>): string | null {
  const chosen = /^(?:c?python-)?(\d+\.\d+)(?:[.\s]|$)/m.exec(texts.get(".python-version") ?? "")?.[1];
  return chosen ?? pythonInstalled(texts).python;
}
