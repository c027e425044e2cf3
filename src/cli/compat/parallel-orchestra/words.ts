/**
 * The words of `parallel-orchestra`, read as Python's argparse reads them: a value stands behind its option or after `=`, an
 * option may be cut short where that is clear, and `--` ends the options.
 */
export type Words =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly of: "program" | "run" }
  /** What is wrong; null where nothing was asked for. */
  | { readonly kind: "wrong"; readonly of: "program" | "run"; readonly problem: string | null }
  | { readonly kind: "run"; readonly asked: Asked };

export type Asked = {
  readonly manifest: string;
  readonly maxWorkers: number;
  /** Null: the `claude` on the path. */
  readonly claudeExe: string | null;
  readonly quiet: boolean;
  readonly logDir: string | null;
  readonly noLog: boolean;
  readonly dryRun: boolean;
  readonly resume: boolean;
  readonly report: string | null;
  readonly dashboard: "on" | "off" | "auto";
  /** Not of parallel-orchestra: what plait asks for where it is needed. */
  readonly withoutSubAgents: boolean;
  readonly allowRoot: boolean;
  readonly allowNested: boolean;
};

const DEFAULT_WORKERS = 3;
const MOST_WORKERS = 256;

const OPTIONS: readonly string[] = [
  ...["--max-workers", "--claude-exe", "--quiet", "--log-dir", "--no-log", "--dry-run", "--resume"],
  ...["--report", "--dashboard", "--no-dashboard", "--without-sub-agents", "--allow-root"],
  ...["--allow-nested", "--help"],
];
const WITH_VALUE: readonly string[] = ["--max-workers", "--claude-exe", "--log-dir", "--report"];

export function readWords(words: readonly string[]): Words {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: "wrong", of: "program", problem: null };
  if (first === "-h" || isShortFor(first, "--help")) return { kind: "help", of: "program" };
  if (isShortFor(first, "--version")) return { kind: "version" };
  if (first === "run") return readRun(rest);
  const problem = first.startsWith("-")
    ? `unrecognized arguments: ${first}`
    : `argument command: invalid choice: '${first}' (choose from 'run')`;
  return { kind: "wrong", of: "program", problem };
}

const isShortFor = (word: string, option: string): boolean => word.length > 2 && option.startsWith(word);

type Read = { readonly options: ReadonlyMap<string, string>; readonly places: readonly string[] };

function readRun(words: readonly string[]): Words {
  const read = readOptions(words);
  if (typeof read === "string") return { kind: "wrong", of: "run", problem: read };
  const { options, places } = read;
  if (options.has("--help")) return { kind: "help", of: "run" };
  const problem = problemOf(read);
  if (problem !== null) return { kind: "wrong", of: "run", problem };
  const given = (option: string): string | null => options.get(option) ?? null;
  return {
    kind: "run",
    asked: {
      manifest: places[0] ?? "",
      maxWorkers: Number(given("--max-workers") ?? DEFAULT_WORKERS),
      claudeExe: given("--claude-exe"),
      quiet: options.has("--quiet"),
      logDir: given("--log-dir"),
      noLog: options.has("--no-log"),
      dryRun: options.has("--dry-run"),
      resume: options.has("--resume"),
      report: given("--report"),
      dashboard: options.has("--dashboard") ? "on" : options.has("--no-dashboard") ? "off" : "auto",
      withoutSubAgents: options.has("--without-sub-agents"),
      allowRoot: options.has("--allow-root"),
      allowNested: options.has("--allow-nested"),
    },
  };
}

function problemOf({ options, places }: Read): string | null {
  const [manifest, more] = places;
  if (manifest === undefined) return "the following arguments are required: manifest_path";
  if (more !== undefined) return `unrecognized arguments: ${places.slice(1).join(" ")}`;
  if (options.has("--dashboard") && options.has("--no-dashboard"))
    return "argument --no-dashboard: not allowed with argument --dashboard";
  const workers = options.get("--max-workers");
  if (workers !== undefined && !(/^\+?\d{1,6}$/.test(workers) && isSome(Number(workers))))
    return `argument --max-workers: must be a whole number from 1 to ${MOST_WORKERS}, not '${workers}'`;
  const empty = ["--claude-exe", "--log-dir", "--report"].find((option) => options.get(option) === "");
  return empty === undefined ? null : `argument ${empty}: expected a path`;
}

const isSome = (n: number): boolean => n >= 1 && n <= MOST_WORKERS;

/** A sentence where they cannot be read. */
function readOptions(words: readonly string[]): Read | string {
  const options = new Map<string, string>();
  const places: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (word === "--") return { options, places: [...places, ...words.slice(i + 1)] };
    if (!word.startsWith("-") || word === "-") {
      places.push(word);
      continue;
    }
    const found = optionOf(word);
    if ("problem" in found) return found.problem;
    const { option, value } = found;
    if (!WITH_VALUE.includes(option)) {
      if (value !== null) return `argument ${option}: ignored explicit argument '${value}'`;
      options.set(option, "");
      continue;
    }
    const next = value ?? words[i + 1];
    if (next === undefined || (value === null && /^-[^\d\s]/.test(next)))
      return `argument ${option}: expected one argument`;
    if (value === null) i += 1;
    options.set(option, next);
  }
  return { options, places };
}

type Option = { readonly option: string; readonly value: string | null } | { readonly problem: string };

function optionOf(word: string): Option {
  if (word === "-h") return { option: "--help", value: null };
  const at = word.indexOf("=");
  const [name, value] = at === -1 ? [word, null] : [word.slice(0, at), word.slice(at + 1)];
  if (OPTIONS.includes(name)) return { option: name, value };
  const meant = OPTIONS.filter((option) => isShortFor(name, option));
  const [only] = meant;
  if (only === undefined) return { problem: `unrecognized arguments: ${word}` };
  if (meant.length > 1) return { problem: `ambiguous option: ${name} could match ${meant.join(", ")}` };
  return { option: only, value };
}
