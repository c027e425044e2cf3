import { posix } from "node:path";
import type { Alias } from "./alias.ts";
import { type Fields, fieldsOf, textsIn } from "./json.ts";

/** `paths` and `baseUrl` of a `tsconfig.json`, its own or of what it extends. */
export function compilerAliases(path: string, configs: ReadonlyMap<string, Fields>): Alias[] {
  const { base, paths } = settingsOf(path, configs, 0);
  const below = folderOf(path);
  const named = [...(paths?.of ?? [])].map(([pattern, targets]) => ({
    ...{ below, pattern, isPackage: false },
    targets: textsIn(targets).map((target) => posix.join(base ?? paths?.folder ?? "", target)),
  }));
  // `import "routes/users"`, from there.
  const bare =
    base === null ? [] : [{ below, pattern: "*", isPackage: false, targets: [posix.join(base, "*")] }];
  return [...named, ...bare];
}

type Settings = {
  readonly base: string | null;
  readonly paths: { readonly of: Fields; readonly folder: string } | null;
};

const NOTHING: Settings = { base: null, paths: null };
const DEEPEST = 10;

/** What it says itself counts before what it extends; of several, the last. */
function settingsOf(path: string, configs: ReadonlyMap<string, Fields>, depth: number): Settings {
  const config = configs.get(path);
  if (config === undefined || depth > DEEPEST) return NOTHING;
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
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}
