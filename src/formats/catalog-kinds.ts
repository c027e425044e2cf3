import type { Sentence } from "../core/text/sentence.ts";

type Words = Sentence | null | ((params: never) => Sentence | null);
type Kinds = { readonly [kind: string]: readonly [message: Words, hint?: Words] };
type Given<W> = W extends (params: infer P) => unknown ? P : unknown;

/** The values of each kind are those that its words name. */
type KindParams<K extends Kinds> = {
  [Kind in keyof K]: { readonly kind: Kind } & Given<K[Kind][0]> & Given<K[Kind][1]>;
}[keyof K];

/** Message and hint of a finding that has several kinds. */
export function wordKinds<const K extends Kinds>(kinds: K) {
  const word =
    (part: 0 | 1) =>
    (params: KindParams<K>): Sentence | null => {
      const words = kinds[params.kind]?.[part] ?? null;
      return typeof words === "function" ? words(params as never) : words;
    };
  return { message: word(0), hint: word(1) };
}

export type Strings<Key extends string> = { readonly [K in Key]: string };
/** The nearest that there is; null where nothing is near. */
export type Suggested = { readonly suggestion: string | null };
