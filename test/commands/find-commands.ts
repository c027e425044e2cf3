import { commands } from "../../src/cli/commands.ts";
import { type Flag, flags, globalFlags } from "../../src/cli/flags.ts";
import { type Command, formatCommand } from "../../src/core/text/command.ts";
import { listParts, type Sentence } from "../../src/core/text/sentence.ts";

/** The words of a command, `plait` first, without the quotes of a shell. */
export type Words = readonly string[];

/** Commands as parts are exact; the text around them may have more of them. */
export const listSentenceCommands = (text: Sentence): Words[] =>
  listParts(text).flatMap((part) => {
    if (typeof part === "string") return listTextCommands(part);
    return part.kind === "command" ? listCommandWords(part.command) : [];
  });

export const listCommandWords = (command: Command): Words[] => {
  const words = splitWords(formatCommand(command)).map(({ word }) => word);
  return words[0] === "plait" && isKnown(words) ? [words] : [];
};

/** An older command line behind plait has its own parser, and is none of these. */
const isKnown = (words: Words): boolean => findSpec(words.slice(1)) !== undefined || words[1] === undefined;

/**
 * Commands of plait in a text for people. A command ends where its typed part ends: at a mark of the sentence, a gap, an operator of
 * the shell, or a word that the command line could not take any more. `plait runs agents` is therefore `plait runs`.
 */
export function listTextCommands(text: string): Words[] {
  return text
    .split(/\n| {2,}|\t/)
    .flatMap((piece) =>
      [...piece.matchAll(/(?<=^|[\s`("'>])plait (?=[a-z])/g)].map(({ index }) => piece.slice(index)),
    )
    .flatMap((typed) => readCommand(splitWords(typed).slice(1)) ?? []);
}

function readCommand(words: readonly Word[]): Words[] | null {
  const plain = words.map(({ word }) => word);
  const spec = findSpec(plain);
  if (spec === undefined) return null;
  const verb = spec.name.split(" ");
  const taken = ["plait", ...verb];
  if (words.slice(0, verb.length).some(({ isLast }) => isLast)) return [taken];
  const [usage = ""] = spec.argument ?? [];
  let room = usage === "" ? 0 : usage.includes("...") ? Number.POSITIVE_INFINITY : 1;
  const valued = new Set([...spec.flags, ...globalFlags].flatMap((name) => listValueNames(flags[name])));
  for (let at = verb.length; at < words.length; at++) {
    const { word, isLast } = words[at] as Word;
    if (ENDS.test(word)) break;
    const isFlag = /^--?[a-z]/i.test(word);
    if (!isFlag && room === 0) break;
    if (!isFlag) room--;
    taken.push(fill(word));
    const value = words[at + 1];
    if (isLast) break;
    if (!isFlag || !valued.has(word) || value === undefined) continue;
    taken.push(fill(value.word));
    at++;
    if (value.isLast) break;
  }
  return taken.includes("--help") ? null : [taken];
}

/** Words of a sentence, operators of a shell, and the brackets of a usage line. */
const ENDS = /^(?:and|or|then|to|again|first|yourself|in|with|on|for|if|&&|\||>|;|\(.*|\[.*|…|\.\.\.|—|→)$/;

const findSpec = ([first = "", second = ""]: readonly string[]) =>
  commands.find(({ name, alias }) => name === `${first} ${second}` || name === first || alias === first);

const listValueNames = ({ usage }: Flag): string[] =>
  usage.includes("<") ? (usage.match(/--?[\w-]+(?=[ ,]|$)/g) ?? []) : [];

/** What is left to the person, as they may type it. */
const fill = (word: string): string =>
  word.replace(/^<(.*)>$/, (_, name: string) =>
    name === "n" ? "1" : name === "status" ? "approved" : "main",
  );

type Word = { readonly word: string; readonly isLast: boolean };

/** A mark of the sentence behind a word is not part of it, and ends the command. */
function splitWords(text: string): Word[] {
  return [...text.matchAll(/\$?'((?:[^'\\]|\\.)*)'(\S*)|"((?:[^"\\]|\\.)*)"(\S*)|(\S+)/g)].map(
    ([, single, afterSingle = "", double, afterDouble = "", bare = ""]) => {
      const quoted = single ?? double;
      if (quoted !== undefined) return { word: quoted, isLast: afterSingle + afterDouble !== "" };
      const word = bare.replace(/[`.,;:)"']+$/, "");
      return { word, isLast: word !== bare };
    },
  );
}
