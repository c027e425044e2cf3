/** Which program installs Node packages in a repository, and its words for what a manifest asks for. */
export type PackageManager = {
  /** Yarn from version 2 on is `berry`: the program has the same name, and other words. */
  readonly kind: "npm" | "pnpm" | "yarn" | "berry" | "bun";
  readonly program: string;
  readonly remove: string;
  readonly upgrade: string;
  readonly add: string;
  readonly addDev: string;
};

type Kind = PackageManager["kind"];

function manager(kind: Kind, [remove, upgrade, add, addDev]: readonly [string, string, string, string]) {
  return { kind, program: kind, remove, upgrade, add, addDev };
}

// Neither npm update nor bun update takes a version.
const npm: PackageManager = manager("npm", ["uninstall", "install", "install", "install --save-dev"]);
const pnpm: PackageManager = manager("pnpm", ["remove", "update", "add", "add --save-dev"]);
const yarn: PackageManager = manager("yarn", ["remove", "upgrade", "add", "add --dev"]);
const berry: PackageManager = { ...yarn, kind: "berry", upgrade: "up" };
const bun: PackageManager = manager("bun", ["remove", "add", "add", "add --dev"]);

const byLock: readonly (readonly [file: string, manager: PackageManager])[] = [
  ["pnpm-lock.yaml", pnpm],
  ["yarn.lock", yarn],
  ["bun.lock", bun],
  ["bun.lockb", bun],
  ["package-lock.json", npm],
  ["npm-shrinkwrap.json", npm],
];

export type Root = {
  readonly names: readonly string[];
  readonly packageJson: string | null;
};

/** What package.json says, else what the lock file is of, else npm. `others` are lock files of other programs. */
export function packageManagerOf({ names, packageJson }: Root): {
  readonly manager: PackageManager;
  readonly others: readonly string[];
} {
  const isBerry = names.includes(".yarnrc.yml");
  const locks = byLock.filter(([file]) => names.includes(file));
  const said = saidIn(packageJson);
  const found = said ?? locks[0]?.[1] ?? npm;
  const manager = found === yarn && isBerry ? berry : found;
  const others = said ? [] : locks.filter(([, one]) => one !== found).map(([file]) => file);
  return { manager, others };
}

/** `"packageManager": "pnpm@9.1.0"`. What is wrong with a package.json its own tools tell. */
function saidIn(packageJson: string | null): PackageManager | null {
  const said = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@(\d+)/.exec(packageJson ?? "");
  if (!said) return null;
  if (said[1] === "yarn") return Number(said[2]) >= 2 ? berry : yarn;
  return said[1] === "pnpm" ? pnpm : said[1] === "bun" ? bun : npm;
}
