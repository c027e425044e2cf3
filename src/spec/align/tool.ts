/** How a program of the project is asked: in the root of the repository, without a shell, for a short time. */
export type ToolQuestion = {
  /** `{ file }` is one of `files`, by where it lies while the program runs. */
  readonly argv: readonly (string | { readonly file: string })[];
  readonly stdin?: string;
  /** Texts by name, in a folder of their own that is gone afterwards. */
  readonly files?: Readonly<Record<string, string>>;
};

export type Answer =
  | { readonly kind: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "absent" }
  /** The problem ends a sentence about the program. */
  | { readonly kind: "failed"; readonly problem: string };

export type ToolAsk = (question: ToolQuestion) => Promise<Answer>;

/** Why a tool could not tell, as a sentence; `isFinal` where it is no use to ask it for anything else. */
export type Silence = { readonly ok: false; readonly why: string; readonly isFinal: boolean };

export function silence(program: string, answer: Exclude<Answer, { kind: "ended" }>): Silence {
  const problem = answer.kind === "absent" ? "is not on the PATH" : answer.problem;
  return { ok: false, why: `${program} ${problem}`, isFinal: true };
}

const LONGEST_WORDS = 300;

/** What a program said last, in one line. */
export function lastWords(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= LONGEST_WORDS ? line : `${line.slice(0, LONGEST_WORDS)} …`;
}

const MOST = 4;

/** Works on a few at once; the results are in the order of the items. */
export async function atOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of left) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(MOST, items.length) }, worker));
  return results;
}
