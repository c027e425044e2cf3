import { statSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import { readEnv } from "../config/env.ts";
import { type CommandSpec, commands } from "./commands.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { type Flag, type FlagName, flags, globalFlags, type Options } from "./flags.ts";
import { exampleText, exitCodeText, shortHelp } from "./help.ts";
import { type Output, openOutput } from "./output.ts";
import { help, nextCommand } from "./render/diagnostics.ts";
import { type Line, styled } from "./render/line.ts";
import { visible } from "./render/visible.ts";
import { RequestError } from "./request-error.ts";
import { version } from "./version.ts";

/** From the words on the command line to an exit code. A request that makes no sense ends with 2 and what to type. */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  const env = readEnv();
  const output = openOutput(env, outputFlags(args));
  if (args.length === 0) {
    output.result(shortHelp(version));
    return exitCodes.ok;
  }
  let code: ExitCode = exitCodes.ok;
  const program = makeProgram(output, async (spec, words, options) => {
    enterFolder(options.cwd);
    const run = await spec.load();
    code = await run({ args: words, options, env, output });
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const problem = error instanceof CommanderError ? usageError(error, args) : error;
    if (!(problem instanceof RequestError)) throw error;
    output.say(problemLines(problem, helpCommand(args), output.sayWidth));
    return exitCodes.badRequest;
  }
}

type Start = (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;

function makeProgram(output: Output, start: Start): Command {
  const program = new Command("plait");
  program
    .description("Runs many headless coding agents at once, from a plan, and lands their work on one branch.")
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: output.raw,
      writeErr: () => {}, // what went wrong is said once, by us
      outputError: () => {},
      getOutHelpWidth: () => output.resultWidth,
      getOutHasColors: () => false,
    })
    .addHelpText(
      "after",
      `\n${exampleText(commands.map(({ examples }) => examples[0]))}\n\n${exitCodeText()}`,
    )
    .exitOverride();
  addFlags(program, globalFlags);
  for (const spec of commands) addCommand(program, spec, start);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, start: Start): void {
  const command = program.command(spec.name).summary(spec.says).description(sentence(spec.says));
  command.copyInheritedSettings(program).helpOption("-h, --help", "show help");
  if (spec.alias !== undefined) command.alias(spec.alias);
  if (spec.argument !== undefined) command.argument(...spec.argument);
  addFlags(command, spec.flags);
  command.addHelpText("after", `\n${exampleText(spec.examples)}`);
  command.action(async () => start(spec, command.args, command.optsWithGlobals()));
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function addFlags(command: Command, names: readonly FlagName[]): void {
  for (const name of names) {
    const { usage, says, parse }: Flag = flags[name];
    const option = new Option(usage, says);
    if (parse !== undefined) option.argParser((text: string) => parsed(text, option.long ?? usage, parse));
    command.addOption(option);
  }
}

/** A flag's parser knows what is wrong with the text; here the flag and the text are put in front. */
function parsed(text: string, flag: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(`${flag} ${JSON.stringify(text)} ${error.message}`, error.hint);
  }
}

/** Commander's sentence and its suggestion, in our words and places. */
function usageError(error: CommanderError, args: readonly string[]): RequestError {
  if (error.code === "commander.help") return new RequestError(`unknown command \`${args.at(-1)}\``);
  const [sentence = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const message = sentence.replaceAll("'", "`").replace(/\.$/, "");
  const [word] = args;
  const looksLikePlan = error.code === "commander.unknownCommand" && word !== undefined && /[./]/.test(word);
  if (looksLikePlan) return new RequestError(message, `to look at a plan: plait plan ${word}`);
  const meant = /\(Did you mean (?:one of )?(.*)\?\)/.exec(suggestion ?? "")?.[1];
  return new RequestError(message, meant === undefined ? null : `did you mean ${meant}?`);
}

function problemLines(problem: RequestError, next: string, width: number): Line[] {
  const message: Line = [styled("red", "error:"), ` ${visible(problem.message)}`];
  return [message, ...help(problem.hint, width), nextCommand(next)];
}

function helpCommand(args: readonly string[]): string {
  const named = (arg: string) => commands.find(({ name, alias }) => arg === name || arg === alias);
  const command = args.map(named).find((spec) => spec !== undefined);
  return command === undefined ? "plait --help" : `plait ${command.name} --help`;
}

/** Needed before the rest is understood: a message about a wrong flag is coloured, or not, like all others. */
function outputFlags(args: readonly string[]): { color?: boolean; ascii: boolean } {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const color = own.findLast((arg) => arg === "--color" || arg === "--no-color");
  return { ...(color === undefined ? {} : { color: color === "--color" }), ascii: own.includes("--ascii") };
}

function enterFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) throw new RequestError(`--cwd ${JSON.stringify(folder)} is not a folder`);
  process.chdir(folder);
}
