import { parseArgs } from "node:util";
import type { Env } from "../../../core/plan.ts";
import { type Technology, technologies } from "../../../spec/spec-contents.ts";
import { pickGiven } from "../../flag.ts";
import type { Options } from "../../flags.ts";

/** What was typed behind `cpo`, understood. */
export type CpoRequest =
  | { readonly kind: "help"; readonly of: CpoCommand | null }
  | { readonly kind: "version" }
  | { readonly kind: "wrong"; readonly problem: string; readonly of: CpoCommand | null }
  | {
      readonly kind: "init";
      readonly dir: string;
      /** Its id, or the path of its file. */
      readonly techSpec: string;
      readonly name: string;
      readonly technology: Technology;
    }
  | { readonly kind: "validate" | "status"; readonly dir: string }
  | { readonly kind: "run"; readonly dir: string; readonly options: RunOptions };

export type CpoCommand = "init" | "validate" | "run" | "status";

export type RunOptions = {
  readonly dryRun: boolean;
  readonly retryFailed: boolean;
  readonly wave: number | null;
  readonly skip: readonly string[];
  /** As `plait run` has them. */
  readonly plait: Options;
};

const HELP = { help: { type: "boolean", short: "h" } } as const;

const RUN = {
  ...HELP,
  "dry-run": { type: "boolean" },
  validate: { type: "boolean" },
  status: { type: "boolean" },
  "retry-failed": { type: "boolean" },
  wave: { type: "string" },
  "max-concurrent": { type: "string" },
  skip: { type: "string" },
  agent: { type: "string" },
  model: { type: "string" },
  "without-sub-agents": { type: "boolean" },
  land: { type: "string" },
  "allow-root": { type: "boolean" },
  "allow-nested": { type: "boolean" },
} as const;

const INIT = {
  ...HELP,
  "tech-spec-id": { type: "string", short: "t" },
  name: { type: "string", short: "n" },
  tech: { type: "string" },
} as const;

const isCommand = (word: string): word is CpoCommand => ["init", "validate", "run", "status"].includes(word);

/** The variables are those that the scripts before cpo knew. */
export function readWords(words: readonly string[], env: Env): CpoRequest {
  const [first, ...rest] = words;
  if (first === "--help" || first === "-h" || first === "help") return { kind: "help", of: null };
  if (first === "--version" || first === "-V") return { kind: "version" };
  if (first === undefined) return { kind: "wrong", problem: "missing command", of: null };
  if (!isCommand(first)) {
    const what = first.startsWith("-") ? "option" : "command";
    return { kind: "wrong", problem: `unknown ${what} ${JSON.stringify(first)}`, of: null };
  }
  try {
    if (rest.includes("--help") || rest.includes("-h")) return { kind: "help", of: first };
    return READERS[first](rest, env);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    return { kind: "wrong", problem, of: first };
  }
}

/** What was typed cannot be; caught above and told with the usage. */
class Wrong extends Error {}

function problemOf(error: unknown): string | null {
  if (error instanceof Wrong) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // Its first sentence says what; the rest explains Node's own rules.
  if (!code.startsWith("ERR_PARSE_ARGS")) return null;
  const [sentence = ""] = (error as Error).message.split(/\.\s|\n/);
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

type Reader = (rest: readonly string[], env: Env) => CpoRequest;

const only =
  (kind: "validate" | "status"): Reader =>
  (rest, env) => {
    const { positionals } = parseArgs({ args: [...rest], options: HELP, allowPositionals: true });
    return { kind, dir: dirOf(positionals, env) };
  };

const READERS: { readonly [C in CpoCommand]: Reader } = {
  init: (rest, env) => {
    const { values, positionals } = parseArgs({ args: [...rest], options: INIT, allowPositionals: true });
    const techSpec = values["tech-spec-id"] ?? missing("-t, --tech-spec-id, such as -t TS-0042");
    const name = values.name ?? missing("-n, --name, such as -n feature-name");
    if (techSpec.trim() === "") throw new Wrong("--tech-spec-id is empty");
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
      throw new Wrong(`--name ${JSON.stringify(name)} is not a name of letters, digits and dashes`);
    const technology = technologies.find((one) => one === (values.tech ?? "python"));
    if (technology === undefined)
      throw new Wrong(`--tech ${JSON.stringify(values.tech)} is not one of ${technologies.join(", ")}`);
    return { kind: "init", dir: dirOf(positionals, env), techSpec, name, technology };
  },
  validate: only("validate"),
  status: only("status"),
  run: (rest, env) => {
    const { values, positionals } = parseArgs({ args: [...rest], options: RUN, allowPositionals: true });
    const dir = dirOf(positionals, env);
    if (values.validate) return { kind: "validate", dir };
    if (values.status) return { kind: "status", dir };
    const wave = values.wave === undefined ? null : numberOf("--wave", values.wave, 10_000);
    const skip = values.skip === undefined ? [] : namesOf(values.skip);
    const retryFailed = values["retry-failed"] ?? false;
    if (retryFailed && (wave !== null || values["max-concurrent"] !== undefined))
      throw new Wrong("--retry-failed cannot be combined with --wave or --max-concurrent");
    const plait: Options = {
      format: "cpo",
      ...concurrencyOf(values["max-concurrent"], env),
      ...timeoutOf(env),
      ...landOf(values.land),
      ...pickGiven({
        agent: values.agent,
        model: values.model,
        withoutSubAgents: values["without-sub-agents"],
      }),
      ...pickGiven({ allowRoot: values["allow-root"], allowNested: values["allow-nested"] }),
    };
    return {
      kind: "run",
      dir,
      options: { dryRun: values["dry-run"] ?? false, retryFailed, wave, skip, plait },
    };
  },
};

function missing(what: string): never {
  throw new Wrong(`missing ${what}`);
}

function dirOf(positionals: readonly string[], { PARALLEL_DIR = "" }: Env): string {
  const [dir = PARALLEL_DIR, more] = positionals;
  if (more !== undefined) throw new Wrong(`unexpected argument: ${JSON.stringify(more)}`);
  if (dir.trim() === "") throw new Wrong("missing folder");
  return dir;
}

function numberOf(name: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw new Wrong(`${name} ${JSON.stringify(text)} is not a whole number from 1 to ${most}`);
}

const MOST_AT_ONCE = 256;

/** The flag, else the variable; where nobody says, the manifest does. */
function concurrencyOf(flag: string | undefined, { MAX_CONCURRENT }: Env): Pick<Options, "concurrency"> {
  if (flag !== undefined) return { concurrency: numberOf("--max-concurrent", flag, MOST_AT_ONCE) };
  if (!MAX_CONCURRENT) return {};
  return { concurrency: numberOf("MAX_CONCURRENT", MAX_CONCURRENT, MOST_AT_ONCE) };
}

const HOUR = 3_600_000;
const LONGEST_HOURS = 168;

/** Where nobody says, the format does. */
function timeoutOf({ TIMEOUT_HOURS: text = "" }: Env): Pick<Options, "timeout"> {
  if (text === "") return {};
  const hours = /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (hours > 0 && hours <= LONGEST_HOURS) return { timeout: Math.max(1_000, Math.round(hours * HOUR)) };
  throw new Wrong(
    `TIMEOUT_HOURS ${JSON.stringify(text)} is not a number of hours above 0 and up to ${LONGEST_HOURS}`,
  );
}

function landOf(land: string | undefined): Pick<Options, "land"> {
  if (land === undefined) return {};
  if (land === "end" || land === "partial" || land === "never") return { land };
  throw new Wrong(`--land ${JSON.stringify(land)} is not one of end, partial, never`);
}

function namesOf(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new Wrong(`--skip ${JSON.stringify(text)} has an extra comma`);
  return [...new Set(names)];
}
