import type { Language } from "./language.ts";
import { otherForms } from "./other-forms.ts";
import { parseSource } from "./parse.ts";
import { syntaxErrors } from "./syntax-errors.ts";
import type { SyntaxProblem, SyntaxTree } from "./tree.ts";

/** A text as it is read in the end: `errors` are those that remain however it is looked at. Whoever asks frees the tree. */
export type ReadSource = { readonly tree: SyntaxTree; readonly errors: readonly SyntaxProblem[] };

/**
 * Grammars are behind their languages, and nobody can change them here. So where one finds an error, it gets the text again in
 * forms that mean the same; an error is one only if it is in all of them.
 */
export async function readSource(language: Language, text: string): Promise<ReadSource> {
  const first = await look(language, text, text);
  if (first.errors.length === 0) return first;
  const { plain, guesses } = otherForms(language, text);
  // Of the same number, those in plainer words are nearer to what is wrong.
  let best = plain === text ? first : better(await look(language, plain, text), first);
  for (const guess of guesses) {
    if (best.errors.length === 0) break;
    best = better(best, await look(language, guess, text));
  }
  return best;
}

/** The one with fewer errors, and the first of two alike; the other is freed. */
function better(one: ReadSource, other: ReadSource): ReadSource {
  const [kept, left] = other.errors.length < one.errors.length ? [other, one] : [one, other];
  left.tree.free();
  return kept;
}

/** What is quoted is what was written. */
async function look(language: Language, form: string, text: string): Promise<ReadSource> {
  const parsed = await parseSource(language, form);
  const tree = { ...parsed, text };
  return { tree, errors: syntaxErrors(tree) };
}
