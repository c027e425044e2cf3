import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { writeDriverFailure } from "../app/driver-failure.ts";
import { type EnvSettings, readEnv } from "../config/env.ts";
import { otherCommand, shellWord, type Command as TypedCommand } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { type CommandGroup, type CommandSpec, commands, groups } from "./commands.ts";
import { commandLines, findCommandLine } from "./compat/command-lines.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import {
  type Flag,
  type FlagName,
  flags,
  formatValueName,
  globalFlags,
  looksLikeFlag,
  type Options,
} from "./flags.ts";
import { renderCommandHelp, renderGroupHelp, renderMainHelp, renderTopic } from "./help.ts";
import { type Output, openOutput } from "./output.ts";
import { errorLines, nextCommand } from "./render/diagnostics.ts";
import { type EnvironmentError, RequestError, toExpectedError, UsageError } from "./request-error.ts";
import { errorStream } from "./streams.ts";
import { checkHelpWords, findCommand, usageError } from "./usage-error.ts";
import { version } from "./version.ts";

/** Runs a command line and returns the exit code. An invalid request is exit code 2, with what to type instead. */
export async function runProgram(given: readonly string[]): Promise<number> {
  const env = readEnv();
  const output = openOutput(env, findOutputFlags(given));
  const [first, second] = given;
  const topic = first === "help" ? renderTopic(second, output.look.width) : null;
  if (topic !== null) {
    output.raw(topic);
    return exitCodes.ok;
  }
  const args = expandHelp(given);
  const [name, ...words] = args;
  const other = findCommandLine(name);
  if (other !== null) return (await other.load())(words, { env, startedIn: currentFolder(), output });
  const unknown = first === "help" ? checkHelpWords(given.slice(1)) : null;
  if (unknown !== null) return printError(unknown, given, output);
  let code: ExitCode = exitCodes.ok;
  const program = makeProgram(output, async (spec, words, options) => {
    const startedIn = currentFolder();
    enterFolder(options.cwd, startedIn);
    const asked = spec.flags.includes("progress") ? withProgress(options, env) : options;
    const run = await spec.load();
    run.checkFlags?.(asked);
    code = await run({ args: words, options: asked, env, startedIn, output });
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const group = findRequestedGroup(program, error, args);
    if (group !== null) {
      group.outputHelp();
      return exitCodes.ok;
    }
    const problem = error instanceof CommanderError ? usageError(error, args) : error;
    const expected = await toExpectedError(problem);
    if (env.failureFile !== null) await writeDriverFailure(env.failureFile, expected);
    return printError(expected, args, output);
  }
}

/** `plait` alone is `plait --help`, `plait help x` is `plait x --help`. */
function expandHelp(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ["--help"];
  return args[0] === "help" ? [...args.slice(1), "--help"] : args;
}

/** `plait spec` alone prints the help of the group. */
function findRequestedGroup(program: Command, error: unknown, args: readonly string[]): Command | null {
  if (!(error instanceof CommanderError) || error.code !== "commander.help") return null;
  const isGroup = (name: string) => name === args.at(-1) && groups.some((group) => group.name === name);
  return program.commands.find((command) => isGroup(command.name())) ?? null;
}

/** What a command line asks for, without doing it; throws where it would end with exit code 2. */
export async function parseCommandLine(args: readonly string[]): Promise<ParsedCommand> {
  let parsed: ParsedCommand | null = null;
  const output = openOutput(readEnv(), {});
  const program = makeProgram(output, async ({ name, load }, words, options) => {
    (await load()).checkFlags?.(options);
    parsed = { verb: name, args: words, options };
  });
  await program.parseAsync([...args], { from: "user" });
  if (parsed === null) throw new UsageError(`not a command: ${args.join(" ")}`);
  return parsed;
}

export type ParsedCommand = {
  readonly verb: string;
  readonly args: readonly string[];
  readonly options: Options;
};

type Start = (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;

function makeProgram(output: Output, start: Start): Command {
  const width = output.look.width;
  const program = new Command("plait");
  program
    .version(version, "-V, --version")
    .helpOption("-h, --help")
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureHelp({ formatHelp: () => renderMainHelp(width) })
    .configureOutput({
      writeOut: output.raw,
      writeErr: () => {}, // errors are printed once, by printError
      outputError: () => {},
    })
    .exitOverride();
  addFlags(program, globalFlags);
  const parents = new Map(groups.map((group) => [group.name, addGroup(program, group, width)]));
  for (const spec of commands) {
    const [first = "", second] = spec.name.split(" ");
    const parent = second === undefined ? program : (parents.get(first) ?? program);
    const command = parent.command(second ?? first).copyInheritedSettings(parent);
    command.helpOption("-h, --help").configureHelp({ formatHelp: () => renderCommandHelp(spec, width) });
    if (spec.alias !== undefined) command.alias(spec.alias);
    if (spec.argument !== undefined) command.argument(spec.argument[0]);
    addFlags(command, spec.flags);
    command.action(async () => start(spec, command.args, command.optsWithGlobals()));
  }
  addCommandLines(program);
  return program;
}

/** The older command lines parse their own words; here they only get an error for flags in front of their name. */
function addCommandLines(program: Command): void {
  for (const name of Object.keys(commandLines)) {
    const command = program.command(name, { hidden: true }).argument("[words...]");
    command.allowUnknownOption().action(() => {
      throw new RequestError(
        `flags must follow ${name}`,
        fix("put the name first", otherCommand("plait", name)),
      );
    });
  }
}

function addGroup(program: Command, group: CommandGroup, width: number): Command {
  return program
    .command(group.name)
    .copyInheritedSettings(program)
    .helpOption("-h, --help")
    .helpCommand(false)
    .configureHelp({ formatHelp: () => renderGroupHelp(group, width) });
}

function addFlags(command: Command, names: readonly FlagName[]): void {
  for (const name of names) {
    const flag: Flag = flags[name];
    const option = new Option(flag.usage);
    if (flag.parse !== undefined)
      option.argParser((text: string, before: unknown) => {
        const value = parseFlag(text, option.long ?? flag.usage, flag);
        return flag.isList ? [...(Array.isArray(before) ? before : []), value] : value;
      });
    command.addOption(option);
  }
}

/** The parser's message says what is wrong with the value; the flag and the value go in front. */
function parseFlag(text: string, name: string, flag: Flag): unknown {
  if (looksLikeFlag(text)) {
    const hint = `${shellWord(text)} looks like a flag; pass ${formatValueName(flag)}: ${name} …`;
    throw new UsageError(`${name} needs ${formatValueName(flag)}`, hint);
  }
  try {
    return flag.parse?.(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new UsageError(`${name} ${JSON.stringify(text)} ${error.message}`, error.hint);
  }
}

/** Prints the error and its fix; the help of the command where there is no fix. */
function printError(
  problem: RequestError | EnvironmentError,
  args: readonly string[],
  output: Output,
): ExitCode {
  const view = { width: output.sayWidth, glyphs: output.glyphs };
  output.say([
    ...errorLines(problem.message, problem.hint, view),
    ...(problem instanceof UsageError || problem.hint === null ? [nextCommand(helpCommand(args))] : []),
  ]);
  return problem instanceof RequestError ? exitCodes.badRequest : exitCodes.badEnvironment;
}

function helpCommand(args: readonly string[]): TypedCommand {
  const command = findCommand(args);
  return command === undefined
    ? otherCommand("plait", "--help")
    : otherCommand("plait", command.name, "--help");
}

/** Read before the rest is parseFlag: an error about a flag is colored, or not, like all others. */
function findOutputFlags(args: readonly string[]): { color?: boolean; ascii: boolean } {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const color = own.findLast((arg) => arg === "--color" || arg === "--no-color");
  return { ...(color === undefined ? {} : { color: color === "--color" }), ascii: own.includes("--ascii") };
}

/** Null when the folder of the shell no longer exists. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null; // deleted or not readable: commands that need no folder still work
  }
}

function enterFolder(folder: string | undefined, startedIn: string | null): void {
  if (folder === undefined) return;
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder && (startedIn !== null || isAbsolute(folder)))
    throw new UsageError(`--cwd ${JSON.stringify(folder)} is not a folder`);
  if (isFolder) process.chdir(folder);
}

/**
 * The output mode from `--progress`, its short forms `--json` and `--quiet`, or PLAIT_PROGRESS. Commands read `json` and
 * `quiet`, so both are set to match.
 */
export function withProgress(options: Options, env: EnvSettings): Options {
  const [problem] = env.problems.filter(({ name }) => name === "PLAIT_PROGRESS");
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  const { json = false, quiet = false } = options;
  if (json && quiet)
    throw new UsageError("--json and --quiet cannot be combined", "remove one of them: --json or --quiet");
  const short = json ? "json" : quiet ? "quiet" : undefined;
  const { progress } = options;
  if (progress !== undefined && short !== undefined && progress !== short)
    throw new UsageError(
      `--progress ${progress} and --${short} cannot be combined`,
      `remove one of them: --progress or --${short}`,
    );
  const { isTerminal } = errorStream(env.columns);
  if (progress === "tty" && !isTerminal)
    throw new RequestError(
      "--progress tty needs a terminal on stderr",
      "print lines instead: --progress plain",
    );
  const how = progress ?? short ?? env.progress ?? "auto";
  return {
    ...options,
    progress: how,
    ...(how === "json" ? { json: true } : {}),
    ...(how === "quiet" ? { quiet: true } : {}),
  };
}
