// Which names of modules mean files of the project itself, by what its compilers and package managers are told.

import { posix } from "node:path";
import { type Alias, inOrder } from "../modules.ts";
import { isImplementation, type SourceProject } from "../project.ts";

const SETTINGS = /(?:^|\/)(?:(?:ts|js)config(?:\.[\w.-]+)?\.json|package\.json|deno\.jsonc?)$/;

/** Whether a file may say what names mean. */
export function saysNames(path: string): boolean {
  return SETTINGS.test(path) && isImplementation(path);
}

export async function readAliases({ paths, read }: SourceProject): Promise<readonly Alias[]> {
  const settings = new Map<string, Fields>();
  for (const path of paths.filter(saysNames)) {
    const text = await read(path);
    const fields = text === null ? null : fieldsIn(text);
    if (fields !== null) settings.set(path, fields);
  }
  return inOrder([...settings].flatMap(([path, said]) => aliasesIn(path, said, settings)));
}

function aliasesIn(path: string, said: Fields, settings: ReadonlyMap<string, Fields>): Alias[] {
  const name = posix.basename(path);
  if (name === "package.json") return packageAliases(path, said);
  return name.startsWith("deno") ? denoAliases(path, said) : compilerAliases(path, settings);
}

/** `"@/": "./src/"` is for all that begins so. */
function denoAliases(path: string, said: Fields): Alias[] {
  const below = folderOf(path);
  return [...(fieldsOf(said.get("imports")) ?? [])].map(([name, target]) => {
    const end = name.endsWith("/") ? "*" : "";
    const targets = textsIn(target).filter((one) => one.startsWith("."));
    const paths = targets.map((one) => posix.join(below, one) + end);
    return { below, pattern: name + end, targets: paths, isPackage: false };
  });
}

/** What people write into settings: JSON, with comments and with commas behind the last. */
export type Fields = ReadonlyMap<string, unknown>;

/** The object that a text is; null where it is none. */
function fieldsIn(text: string): Fields | null {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  try {
    return fieldsOf(JSON.parse(plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1")));
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Fields | null {
  const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
  return isOne ? new Map(Object.entries(value)) : null;
}

const DEEPEST = 8;

/** Every text in it, in order: in a list, or under whatever condition. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

/** `paths` and `baseUrl` of a `tsconfig.json`, its own or of what it extends. */
function compilerAliases(path: string, configs: ReadonlyMap<string, Fields>): Alias[] {
  const { base, paths } = settingsOf(path, configs, 0);
  const own = { below: folderOf(path), isPackage: false };
  const named = [...(paths?.of ?? [])].map(([pattern, targets]) => ({
    ...{ ...own, pattern },
    targets: textsIn(targets).map((target) => posix.join(base ?? paths?.folder ?? "", target)),
  }));
  // `import "routes/users"`, from there.
  return base === null ? named : [...named, { ...own, pattern: "*", targets: [posix.join(base, "*")] }];
}

type Settings = {
  readonly base: string | null;
  readonly paths: { readonly of: Fields; readonly folder: string } | null;
};

const NOTHING: Settings = { base: null, paths: null };
const MOST_EXTENDED = 10;

/** What it says itself counts before what it extends; of several, the last. */
function settingsOf(path: string, configs: ReadonlyMap<string, Fields>, depth: number): Settings {
  const config = configs.get(path);
  if (config === undefined || depth > MOST_EXTENDED) return NOTHING;
  const folder = folderOf(path);
  const options = fieldsOf(config.get("compilerOptions"));
  const url = options?.get("baseUrl");
  const paths = fieldsOf(options?.get("paths"));
  const before = textsIn(config.get("extends"))
    .filter((one) => one.startsWith("."))
    .map((one) => settingsOf(asFile(posix.join(folder, one)), configs, depth + 1))
    .reduce((all, one) => ({ base: one.base ?? all.base, paths: one.paths ?? all.paths }), NOTHING);
  return {
    base: typeof url === "string" ? posix.join(folder, url) : before.base,
    paths: paths === null ? before.paths : { of: paths, folder },
  };
}

const asFile = (path: string) => (path.endsWith(".json") ? path : `${path}.json`);

/** The root is "". */
function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

/** What a `package.json` says about names: its `imports`, and what others of the same repository get under its own name. */
function packageAliases(path: string, said: Fields): Alias[] {
  const below = folderOf(path);
  const inside = (targets: readonly string[]) =>
    targets.flatMap(withSource).map((one) => posix.join(below, one));
  const own = (pattern: string, targets: readonly string[]): Alias => ({
    ...{ below, pattern, isPackage: false, targets: inside(targets) },
  });
  const imports = [...(fieldsOf(said.get("imports")) ?? [])].map(([pattern, targets]) =>
    own(pattern, textsIn(targets)),
  );
  const moduleAliases = [...(fieldsOf(said.get("_moduleAliases")) ?? [])].flatMap(([name, target]) => {
    const targets = textsIn(target);
    const below = targets.map((one) => `${one}/*`);
    return [own(name, targets), own(`${name}/*`, below)];
  });
  const packages = ownName(said).map(([pattern, targets]) => ({
    ...{ below: "", pattern, isPackage: true, targets: inside(targets) },
  }));
  return [...imports, ...moduleAliases, ...packages];
}

const ENTRIES = ["source", "types", "module", "main"];

function ownName(said: Fields): (readonly [pattern: string, targets: readonly string[]])[] {
  const name = said.get("name");
  const exports = said.get("exports");
  if (typeof name !== "string" || name === "") return [];
  const given = fieldsOf(exports);
  const isByPath = given !== null && [...given.keys()].some((key) => key.startsWith("."));
  const entries = textsIn([isByPath ? given.get(".") : exports, ...ENTRIES.map((key) => said.get(key))]);
  const others = [...(isByPath ? given : [])].filter(([key]) => /^\.\//.test(key));
  return [
    [name, [...entries, "src/index", "index", "src/main"]],
    ...others.map(([key, targets]) => [`${name}${key.slice(1)}`, textsIn(targets)] as const),
    [`${name}/*`, ["src/*", "*"]],
  ];
}

/** What is built is not in the repository: it is made of what stands in `src/`. */
function withSource(target: string): string[] {
  const built =
    /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|src)\/)?(.*?)(?:\.d\.[cm]?ts)?$/.exec(target);
  return built === null ? [target] : [target, `src/${built[1]}`];
}
