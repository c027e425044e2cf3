/**
 * Everything plait tells a person to type is one of these, printed by `formatCommand` alone. test/commands gives each to the
 * real command parser and to `decide`.
 */
export type Command = {
  /** `plait`, `git`, or an older command line as it is typed: `plait cpo`. */
  readonly program: string;
  /** `resume`, `spec prompts`, `worktree remove`. */
  readonly verb: string;
  readonly args: readonly CommandWord[];
  readonly flags: CommandFlags;
};

/** `{ placeholder: "branch" }` is for the person to fill in and prints as `<branch>`. */
export type CommandWord = string | { readonly placeholder: string };

/** A flag that is undefined or false is left out, one that is true has no value, one with a list is repeated. */
export type CommandFlags = { readonly [flag: string]: FlagValue };

type FlagValue = CommandWord | number | boolean | readonly (string | number)[] | undefined;

/** A command and what it is for: an imperative without a period. */
export type NextStep = { readonly command: Command; readonly purpose: string };

export const VERBS = [
  ...["run", "resume", "stop", "demo", "status", "watch", "ui", "logs", "diff", "report", "runs"],
  ...["retry", "approve", "open", "submit", "drop", "land", "undo", "rescue"],
  ...["validate", "plan", "convert", "integrate", "explain", "mcp", "schema", "clean", "restore"],
  ...["doctor sandbox"],
  ...[
    "compat",
    "spec go",
    "spec setup",
    "spec init",
    "spec new",
    "spec list",
    "spec status",
    "spec decompose",
  ],
  ...["spec prompts", "spec graph", "spec coverage", "spec align", "spec integrate"],
] as const;

export type PlaitVerb = (typeof VERBS)[number];

export function plait(
  verb: PlaitVerb,
  args: CommandWord | readonly CommandWord[] = [],
  flags: CommandFlags = {},
): Command {
  return { program: "plait", verb, args: toWords(args), flags };
}

/** Other programs' flags are given among the arguments, in their own order. */
export function otherCommand(
  program: string,
  verb: string,
  args: CommandWord | readonly CommandWord[] = [],
): Command {
  return { program, verb, args: toWords(args), flags: {} };
}

/** The same command with more flags. */
export const withFlags = (command: Command, flags: CommandFlags): Command => ({
  ...command,
  flags: { ...command.flags, ...flags },
});

const STARTS_AGENTS: ReadonlySet<string> = new Set(["run", "resume", "retry", "approve", "submit"]);

/** For this run: what starts agents needs `--allow-root` again where the run has it. */
export function forRun({ allowRoot }: { readonly allowRoot: boolean }, command: Command): Command {
  const isNeeded = allowRoot && command.program === "plait" && STARTS_AGENTS.has(command.verb);
  return isNeeded ? withFlags(command, { "allow-root": true }) : command;
}

/** As it is typed: `plait resume shop-k7f2 --budget-usd 4`. */
export function formatCommand({ program, verb, args, flags }: Command, look: WordLook = {}): string {
  const given = Object.entries(flags).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${flag}`];
    const values = Array.isArray(value) ? (value as readonly (string | number)[]) : [value as CommandWord];
    return values.flatMap((one) => [`--${flag}`, formatWord(one, look)]);
  });
  return [program, verb, ...args.map((word) => formatWord(word, look)), ...given].join(" ");
}

const formatWord = (word: CommandWord | number, look: WordLook): string =>
  typeof word === "object" ? `<${word.placeholder}>` : shellWord(String(word), look);

/** `ascii`: for a terminal that shows nothing else. */
type WordLook = { readonly ascii?: boolean };

const toWords = (args: CommandWord | readonly CommandWord[]): readonly CommandWord[] =>
  typeof args === "string" || "placeholder" in args ? [args] : args;

/**
 * A word as a shell reads it, quoted only where needed. Invisible and control characters are spelled out as `$'…'`, and so is
 * everything beyond ASCII for a terminal that shows nothing else.
 */
export function shellWord(word: string, { ascii = false }: WordLook = {}): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  const odd = ascii ? BEYOND_ASCII : UNSEEN;
  if (word.search(odd) === -1) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, "\\$&").replace(odd, bytesOf)}'`;
}

/** Control and invisible characters, and those that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const BEYOND_ASCII = /[^\x20-\x7e]/gu;

/** As octal bytes of UTF-8: three digits each, so what follows is never taken for more of them. */
function bytesOf(char: string): string {
  const named = { "\n": "\\n", "\t": "\\t", "\r": "\\r" }[char];
  if (named !== undefined) return named;
  const written = encodeURIComponent(/\p{Cs}/u.test(char) ? "\ufffd" : char);
  const bytes = written.startsWith("%")
    ? written
        .slice(1)
        .split("%")
        .map((hex) => Number.parseInt(hex, 16))
    : [char.charCodeAt(0)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
