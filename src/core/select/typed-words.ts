import { capital } from "./sentences.ts";

/** A piece of a sentence; `isTyped` is what people type: an id, a path, a gate. Such words look typed, the others do not. */
export type Word = { readonly text: string; readonly isTyped: boolean };

/** The sentence cut at the names that stand in it; the longest name wins where several begin at one place. */
export function typedWords(sentence: string, names: readonly string[]): Word[] {
  const known = [...new Set(names)].filter((name) => name !== "").sort((a, b) => b.length - a.length);
  const words: Word[] = [];
  let plain = 0;
  for (let at = 0; at < sentence.length; ) {
    const name = isStart(sentence, at) ? known.find((one) => standsAt(sentence, one, at)) : undefined;
    if (name === undefined) {
      at += 1;
      continue;
    }
    if (at > plain) words.push({ text: sentence.slice(plain, at), isTyped: false });
    words.push({ text: name, isTyped: true });
    at += name.length;
    plain = at;
  }
  if (plain < sentence.length) words.push({ text: sentence.slice(plain), isTyped: false });
  return words;
}

/** With a capital at its beginning, unless that is a name: names are written as they are typed. */
export function sentenceCase(words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  if (first === undefined || first.isTyped) return words;
  return [{ ...first, text: capital(first.text) }, ...rest];
}

const INSIDE = /[\p{L}\p{N}_-]/u;

const isStart = (text: string, at: number): boolean => at === 0 || !INSIDE.test(text[at - 1] as string);

/** Not as a part of a longer word: `tax` is not in `taxes`. */
function standsAt(text: string, name: string, at: number): boolean {
  const next = text[at + name.length];
  return text.startsWith(name, at) && (next === undefined || !INSIDE.test(next));
}
