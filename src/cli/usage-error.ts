import type { CommanderError } from "commander";
import { formatSuggestion } from "../core/select/suggestion.ts";
import { plait, shellWord } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { type CommandGroup, type CommandSpec, commands, groups } from "./commands.ts";
import { commandLines } from "./compat/command-lines.ts";
import { type Flag, flags, formatValueName, globalFlags } from "./flags.ts";
import { helpTopics } from "./help.ts";
import { UsageError } from "./request-error.ts";

/** Commander's error in our words, with what was probably meant. */
export function usageError(error: CommanderError, args: readonly string[]): UsageError {
  const message = error.message
    .replace(/^error: /, "")
    .replaceAll("'", "`")
    .replace(/\.$/, "");
  switch (error.code) {
    case "commander.help":
    case "commander.unknownCommand":
      return unknownCommand(args);
    case "commander.unknownOption":
      return new UsageError(message, suggestFlag(/`(.*)`/.exec(message)?.[1] ?? "", args) ?? fileHint(args));
    case "commander.optionMissingArgument":
      return new UsageError(formatMissingValue(message) ?? message);
    default:
      return new UsageError(message);
  }
}

/** The command or group that the words on the command line name. */
export function findCommand(args: readonly string[]): CommandSpec | CommandGroup | undefined {
  const named = (arg: string, i: number) => {
    const pair = `${arg} ${args[i + 1]}`;
    const known = commands.find(({ name, alias }) => pair === name || arg === name || arg === alias);
    return known ?? groups.find(({ name }) => arg === name);
  };
  return args.map(named).find((spec) => spec !== undefined);
}

/** Null where `plait help <words>` names a command. */
export function checkHelpWords(words: readonly string[]): UsageError | null {
  const command = findCommand(words);
  const isKnown = command !== undefined && ("flags" in command || words.length === 1);
  return words.length === 0 || isKnown ? null : unknownCommand(words, helpTopics);
}

function unknownCommand(args: readonly string[], topics: readonly string[] = []): UsageError {
  const group = groups.find(({ name }) => args.includes(name));
  const at = group === undefined ? 0 : args.indexOf(group.name) + 1;
  const word = args.slice(at).find((arg) => !arg.startsWith("-")) ?? "";
  const prefix = group === undefined ? "" : `${group.name} `;
  const known = [
    ...commands.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name.slice(prefix.length)),
    ...(group === undefined ? [...groups.map(({ name }) => name), ...Object.keys(commandLines)] : []),
    ...topics,
  ];
  const plan = /[./]/.test(word) ? fix("preview a plan", plait("plan", word)) : null;
  return new UsageError(`unknown command \`${prefix}${word}\``, plan ?? formatSuggestion(word, known));
}

function suggestFlag(typed: string, args: readonly string[]): string | null {
  const command = findCommand(args);
  const own = command !== undefined && "flags" in command ? command.flags : [];
  const known = [...own, ...globalFlags].flatMap((name) => findLongName(flags[name]) ?? []);
  return formatSuggestion(typed, [...known, "--help", "--version"]);
}

function findLongName({ usage }: Flag): string | undefined {
  return /--[\w-]+/.exec(usage)?.[0];
}

/** No flag contains a dot, but file names do. */
function fileHint(args: readonly string[]): string | null {
  const file = args.find((arg) => arg.startsWith("-") && /\.\w+$/.test(arg) && !arg.includes("="));
  return file === undefined ? null : `to read a file with that name: ${shellWord(`./${file}`)}`;
}

function formatMissingValue(message: string): string | null {
  const flag = Object.values(flags).find(({ usage }: Flag) => message.includes(usage));
  return flag === undefined ? null : `${findLongName(flag)} needs ${formatValueName(flag)}`;
}
