import type { CommanderError } from "commander";
import { shellWord } from "../core/select/preview/commands.ts";
import { type Flag, flags, valueName } from "./flags.ts";
import { UsageError } from "./request-error.ts";

/** What Commander found wrong, in our words and places, with what was probably meant. */
export function usageError(error: CommanderError, args: readonly string[]): UsageError {
  if (error.code === "commander.help") return new UsageError(`unknown command \`${args.at(-1)}\``);
  const [sentence = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const message = sentence.replaceAll("'", "`").replace(/\.$/, "");
  const meant = /\(Did you mean (?:one of )?(.*)\?\)/.exec(suggestion ?? "")?.[1];
  const hint = meant === undefined ? null : `did you mean ${meant}?`;
  switch (error.code) {
    case "commander.unknownCommand":
      return new UsageError(message, planHint(args[0]) ?? hint);
    case "commander.unknownOption":
      return new UsageError(message, hint ?? fileHint(args));
    case "commander.optionMissingArgument":
      return new UsageError(missingValue(message) ?? message);
    default:
      return new UsageError(message, hint);
  }
}

function planHint(word: string | undefined): string | null {
  return word !== undefined && /[./]/.test(word) ? `to look at a plan: plait plan ${shellWord(word)}` : null;
}

/** No flag has a dot in it, but names of files do. */
function fileHint(args: readonly string[]): string | null {
  const file = args.find((arg) => arg.startsWith("-") && /\.\w+$/.test(arg) && !arg.includes("="));
  return file === undefined ? null : `for a file of that name: ${shellWord(`./${file}`)}`;
}

function missingValue(message: string): string | null {
  const flag = Object.values(flags).find(({ usage }: Flag) => message.includes(usage));
  return flag === undefined ? null : `${/--[\w-]+/.exec(flag.usage)?.[0]} needs ${valueName(flag)}`;
}
