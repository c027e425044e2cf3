// What one command runs of the tree that it stands in. Only what stands where a program or its script stands: what a test
// runner is told to look at is work like any other.

import type { Word } from "./shell-commands.ts";

export type Run =
  | { readonly kind: "file"; readonly path: string }
  /** A script of a package.json. */
  | { readonly kind: "script"; readonly file: string; readonly name: string }
  /** For a shell in the same folder. */
  | { readonly kind: "line"; readonly line: string };

export function runBy(command: readonly Word[], dir: string): readonly Run[] {
  const [program, ...args] = withoutWrappers(command);
  if (program === undefined || program === null) return [];
  const itself = program.includes("/") ? fileAt(dir, program) : [];
  return [...itself, ...runByProgram(program.replace(/^.*\//, ""), args, dir)];
}

function runByProgram(name: string, args: readonly Word[], dir: string): readonly Run[] {
  if (/^(?:ba|da|z|k|a)?sh$/.test(name)) return runByShell(args, dir);
  if (/^(?:npm|pnpm|yarn)$/.test(name) || (name === "bun" && isBunScript(args))) {
    return runByPackage(name, args, dir);
  }
  if (name === "node" && args[0] === "--run") return scriptAt(dir, args[1]);
  const makefiles = MAKEFILES.get(name);
  if (makefiles !== undefined) return runByMake(makefiles, args, dir);
  const interpreter = INTERPRETERS.find(({ named }) => named.test(name));
  return interpreter === undefined ? [] : fileAt(dir, scriptIn(args, interpreter));
}

type Interpreter = {
  readonly named: RegExp;
  /** Options after which no script follows, or none that is more than a test. */
  readonly ends?: RegExp;
  /** Options that take the next word. */
  readonly takes?: RegExp;
  /** A word between the program and its script. */
  readonly verb?: RegExp;
};

const INTERPRETERS: readonly Interpreter[] = [
  {
    named: /^(?:node|nodejs|tsx|ts-node)$/,
    ends: /^(?:-e|-p|-pe|--eval|--print|--test|--watch)$/,
    takes: /^(?:-r|--require|--import|--(?:experimental-)?loader|-C|--conditions|--tsconfig|-P|--project)$/,
  },
  { named: /^python[\d.]*$/, ends: /^-[a-zA-Z]*[cm]$/, takes: /^-[WX]$/ },
  { named: /^(?:ruby|perl|php|lua|Rscript|pwsh)$/, ends: /^-(?:e|r|c|Command)$/, takes: /^-[IM]$/ },
  { named: /^(?:bun|deno)$/, ends: /^(?:-e|--eval|test|check|lint|fmt|task)$/, verb: /^run$/ },
  { named: /^(?:source|\.)$/ },
];

/** The first word that is no option. */
function scriptIn(args: readonly Word[], { ends, takes, verb }: Omit<Interpreter, "named">): Word {
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? null;
    if (word === null || ends?.test(word)) return null;
    if (takes?.test(word)) i += 1;
    else if (!word.startsWith("-") && !(i === 0 && verb?.test(word))) return word;
  }
  return null;
}

function runByShell(args: readonly Word[], dir: string): readonly Run[] {
  const option = args.findIndex((word) => word !== null && /^-[a-z]*c$/.test(word));
  const script = scriptIn(args, { takes: /^[-+][a-z]*o$/ });
  if (option === -1 || args.slice(0, option).includes(script)) return fileAt(dir, script);
  const line = args[option + 1] ?? null;
  return line === null ? [] : [{ kind: "line", line }];
}

const MAKE = ["Makefile", "makefile", "GNUmakefile"];
const MAKEFILES: ReadonlyMap<string, readonly string[]> = new Map([
  ["make", MAKE],
  ["gmake", MAKE],
  ["just", ["justfile", "Justfile", ".justfile"]],
  ["task", ["Taskfile.yml", "Taskfile.yaml"]],
  ["rake", ["Rakefile"]],
  ["nox", ["noxfile.py"]],
]);

function runByMake(usual: readonly string[], args: readonly Word[], dir: string): readonly Run[] {
  const folder = optionIn(args, /^(?:-C|--directory|-d|--dir|--working-directory)$/);
  const named = optionIn(args, /^(?:-f|--file|--makefile|--justfile|--taskfile|--rakefile)$/);
  const here = folder === undefined ? dir : below(dir, folder);
  return (named === undefined ? usual : [named]).flatMap((file) => fileAt(here, file));
}

/** `npm test`, `npm run check`, `yarn lint`: what is run stands in the package.json of its folder. */
function runByPackage(manager: string, args: readonly Word[], dir: string): readonly Run[] {
  if (args.some((word) => word !== null && OTHER_PACKAGE.test(word))) return [];
  const folder = optionIn(args, PACKAGE_FOLDER);
  const here = folder === undefined ? dir : below(dir, folder);
  const [first, second] = args.filter(
    (word, i) => !PACKAGE_FOLDER.test(args[i - 1] ?? "") && !word?.startsWith("-"),
  );
  if (first === "run" || first === "run-script") return scriptAt(here, second);
  if (manager !== "npm") return scriptAt(here, first);
  if (first === "t" || first === "tst") return scriptAt(here, "test");
  return /^(?:test|start|stop|restart)$/.test(first ?? "") ? scriptAt(here, first) : [];
}

const PACKAGE_FOLDER = /^(?:--prefix|-C|--dir|--cwd)$/;
/** Which package is meant would have to be looked up in the tree. */
const OTHER_PACKAGE = /^(?:-w|-ws|-r|-F|--workspaces?|--filter|--recursive|workspaces?)(?:=|$)/;

/** `bun x.ts` runs the file, and `bun test` its own test runner. */
function isBunScript(args: readonly Word[]): boolean {
  const script = scriptIn(args, { verb: /^run$/ });
  return script !== null && script !== "test" && !/[./]/.test(script);
}

/** `npx tsx x.ts`, `uv run ./x.py`, `timeout 60 ./x.sh`: the program is the next word. */
function withoutWrappers(command: readonly Word[]): readonly Word[] {
  let rest = command;
  for (let wrapper = wrapperOf(rest); wrapper !== undefined; wrapper = wrapperOf(rest)) {
    rest = rest.slice(wrapper.words.length);
    while (rest[0]?.startsWith("-") || (wrapper.words[0] === "env" && rest[0]?.includes("="))) {
      rest = rest.slice(wrapper.takes?.test(rest[0]) ? 2 : 1);
    }
    rest = rest.slice(wrapper.skips ?? 0);
  }
  return rest;
}

type Wrapper = { readonly words: readonly string[]; readonly takes?: RegExp; readonly skips?: number };

const WRAPPERS: readonly Wrapper[] = [
  { words: ["env"], takes: /^-[uCS]$/ },
  { words: ["nice"], takes: /^-n$/ },
  { words: ["nohup"] },
  { words: ["xvfb-run"] },
  { words: ["timeout"], takes: /^-[ks]$/, skips: 1 },
  { words: ["npx"], takes: /^(?:-p|--package)$/ },
  { words: ["bunx"] },
  { words: ["npm", "exec"] },
  { words: ["pnpm", "exec"] },
  { words: ["yarn", "exec"] },
  { words: ["uv", "run"], takes: /^(?:--with|--extra|--group|-p|--python|--project|--directory)$/ },
  { words: ["poetry", "run"] },
  { words: ["pipenv", "run"] },
  { words: ["bundle", "exec"] },
];

function wrapperOf(command: readonly Word[]): Wrapper | undefined {
  return WRAPPERS.find(({ words }) => words.every((word, i) => command[i] === word));
}

/** The word after an option; undefined where the option is not there. */
function optionIn(args: readonly Word[], option: RegExp): Word | undefined {
  const at = args.findIndex((word) => word !== null && option.test(word));
  return at === -1 ? undefined : (args[at + 1] ?? null);
}

function fileAt(dir: string | null, word: Word): readonly Run[] {
  const path = below(dir, word);
  return path === null || path === "" ? [] : [{ kind: "file", path }];
}

function scriptAt(dir: string | null, name: Word | undefined): readonly Run[] {
  const file = below(dir, "package.json");
  return file === null || name === null || name === undefined ? [] : [{ kind: "script", file, name }];
}

/** From the root of the tree; null where it leads out of it, or nobody can tell. */
export function below(dir: string | null, path: Word | undefined): string | null {
  if (dir === null || path === null || path === undefined || /^[/~]|^-$/.test(path)) return null;
  const names: string[] = [];
  for (const name of `${dir}/${path}`.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return null;
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
