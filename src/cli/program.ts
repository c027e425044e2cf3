import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { readEnv } from "../config/env.ts";
import { shellWord } from "../core/select/preview/commands.ts";
import { sentence } from "../core/select/sentences.ts";
import { type CommandGroup, type CommandSpec, commands, groups } from "./commands.ts";
import { commandLines, findCommandLine } from "./compat/command-lines.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import {
  type Flag,
  type FlagName,
  flags,
  globalFlags,
  looksLikeFlag,
  type Options,
  valueName,
} from "./flags.ts";
import { exampleText, exitCodeText, itemText, shortHelp } from "./help.ts";
import { type Output, openOutput } from "./output.ts";
import { withProgress } from "./progress-flags.ts";
import { help, nextCommand } from "./render/diagnostics.ts";
import { styled } from "./render/line.ts";
import { shown } from "./render/visible.ts";
import { EnvironmentError, RequestError, UsageError } from "./request-error.ts";
import { usageError } from "./usage-error.ts";
import { version } from "./version.ts";

/** From the words on the command line to an exit code. A request that makes no sense ends with 2 and what to type. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const env = readEnv();
  const output = openOutput(env, outputFlags(args));
  if (args.length === 0) {
    output.result(shortHelp(version, output.resultWidth));
    return exitCodes.ok;
  }
  // `help` of theirs is what they print themselves.
  const [name, ...words] = args[0] === "help" ? [...args.slice(1), "--help"] : args;
  const other = findCommandLine(name);
  if (other !== null) return (await other.load())(words, { env, startedIn: currentFolder(), output });
  let code: ExitCode = exitCodes.ok;
  const program = makeProgram(output, async (spec, words, options) => {
    const startedIn = currentFolder();
    enterFolder(options.cwd, startedIn);
    const asked = spec.flags.includes("progress") ? withProgress(options, env) : options;
    const run = await spec.load();
    code = await run({ args: words, options: asked, env, startedIn, output });
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const group = groupAsked(program, error, args);
    if (group !== null) {
      group.outputHelp();
      return exitCodes.ok;
    }
    return tellProblem(error instanceof CommanderError ? usageError(error, args) : error, args, output);
  }
}

/** The name of a group alone asks what is in it. */
function groupAsked(program: Command, error: unknown, args: readonly string[]): Command | null {
  if (!(error instanceof CommanderError) || error.code !== "commander.help") return null;
  const isGroup = (name: string) => name === args.at(-1) && groups.some((group) => group.name === name);
  return program.commands.find((command) => isGroup(command.name())) ?? null;
}

type Start = (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;

function makeProgram(output: Output, start: Start): Command {
  const width = output.resultWidth;
  const program = new Command("plait");
  program
    .description("Runs many headless coding agents at once, from a plan, and lands their work on one branch.")
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 1,
      formatItem: (term, left, says) => itemText(term, says, { left, width }),
    })
    .configureOutput({
      writeOut: output.raw,
      writeErr: () => {}, // what went wrong is said once, by us
      outputError: () => {},
      getOutHelpWidth: () => width,
      getOutHasColors: () => false,
    })
    .addHelpText(
      "after",
      // Laid out by who reads it: every command starts here.
      () =>
        `\n${exampleText(
          commands.filter(({ name }) => !name.includes(" ")).map(({ examples }) => examples[0]),
          width,
        )}\n\n${exitCodeText(width)}`,
    )
    .exitOverride();
  addFlags(program, globalFlags);
  const parents = new Map(groups.map((group) => [group.name, addGroup(program, group, width)]));
  for (const spec of commands) {
    const [first = "", second] = spec.name.split(" ");
    const parent = second === undefined ? program : (parents.get(first) ?? program);
    addCommand(parent, { ...spec, name: second ?? first }, { start, width });
  }
  addCommandLines(program);
  return program;
}

/** For the list only: their words are theirs to read, so they are answered before these commands are made. */
function addCommandLines(program: Command): void {
  for (const [name, { argument, summary }] of Object.entries(commandLines)) {
    const command = program.command(name).summary(summary).argument(argument);
    command.helpGroup("Command lines of other systems:").allowUnknownOption().allowExcessArguments();
    command.action(() => {
      throw new RequestError(`flags cannot be in front of ${name}`, `begin with the name: plait ${name}`);
    });
  }
}

function addGroup(program: Command, { name, says }: CommandGroup, width: number): Command {
  const group = program.command(name).summary(says).description(sentence(says)).usage("<command> [options]");
  const examples = commands
    .filter((spec) => spec.name.startsWith(`${name} `))
    .map((spec) => spec.examples[0]);
  return group
    .copyInheritedSettings(program)
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .addHelpText("after", () => `\n${exampleText(examples, width)}`);
}

function addCommand(
  parent: Command,
  spec: CommandSpec,
  { start, width }: { readonly start: Start; readonly width: number },
): void {
  const command = parent.command(spec.name).summary(spec.says).description(sentence(spec.says));
  command.copyInheritedSettings(parent).helpOption("-h, --help", "show help");
  if (spec.alias !== undefined) command.alias(spec.alias);
  if (spec.argument !== undefined) command.argument(...spec.argument);
  addFlags(command, spec.flags);
  command.addHelpText("after", () => `\n${exampleText(spec.examples, width)}`);
  command.action(async () => start(spec, command.args, command.optsWithGlobals()));
}

function addFlags(command: Command, names: readonly FlagName[]): void {
  for (const name of names) {
    const flag: Flag = flags[name];
    const option = new Option(flag.usage, flag.says);
    if (flag.parse !== undefined)
      option.argParser((text: string, before: unknown) => {
        const value = parsed(text, option.long ?? flag.usage, flag);
        return flag.isList ? [...(Array.isArray(before) ? before : []), value] : value;
      });
    command.addOption(option);
  }
}

/** A flag's parser knows what is wrong with the text; here the flag and the text are put in front. */
function parsed(text: string, name: string, flag: Flag): unknown {
  if (looksLikeFlag(text)) {
    const hint = `what follows it, ${shellWord(text)}, looks like a flag`;
    throw new UsageError(`${name} needs ${valueName(flag)}`, hint);
  }
  try {
    return flag.parse?.(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new UsageError(`${name} ${JSON.stringify(text)} ${error.message}`, error.hint);
  }
}

/** What is expected to go wrong, with what to type next; anything else is our own mistake. */
function tellProblem(problem: unknown, args: readonly string[], output: Output): ExitCode {
  if (!(problem instanceof RequestError || problem instanceof EnvironmentError)) throw problem;
  const view = { width: output.sayWidth, glyphs: output.glyphs };
  output.say([
    [styled("red", "error:"), ` ${shown(problem.message, output.glyphs)}`],
    ...help(problem.hint, view),
    // Where the hint says what to type, the help of the command is no help.
    ...(problem instanceof UsageError || problem.hint === null ? [nextCommand(helpCommand(args))] : []),
  ]);
  return problem instanceof RequestError ? exitCodes.badRequest : exitCodes.badEnvironment;
}

function helpCommand(args: readonly string[]): string {
  const named = (arg: string, i: number) => {
    const pair = `${arg} ${args[i + 1]}`;
    const known = commands.find(({ name, alias }) => pair === name || arg === name || arg === alias);
    return known ?? groups.find(({ name }) => arg === name);
  };
  const command = args.map(named).find((spec) => spec !== undefined);
  return command === undefined ? "plait --help" : `plait ${command.name} --help`;
}

/** Needed before the rest is understood: a message about a wrong flag is coloured, or not, like all others. */
function outputFlags(args: readonly string[]): { color?: boolean; ascii: boolean } {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const color = own.findLast((arg) => arg === "--color" || arg === "--no-color");
  return { ...(color === undefined ? {} : { color: color === "--color" }), ascii: own.includes("--ascii") };
}

/** Null when the folder that the shell stands in is gone. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null; // deleted or not to be read: commands that need no folder work all the same
  }
}

function enterFolder(folder: string | undefined, startedIn: string | null): void {
  if (folder === undefined) return;
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder && (startedIn !== null || isAbsolute(folder)))
    throw new UsageError(`--cwd ${JSON.stringify(folder)} is not a folder`);
  if (isFolder) process.chdir(folder);
}
