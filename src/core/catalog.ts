import type { Diagnostic, Severity, SourceRange } from "./source.ts";
import { plainText, type Sentence } from "./text/sentence.ts";

/** One code and everything plait prints about it: the only place where a finding is worded. */
export type CatalogEntry = {
  readonly severity: Severity;
  /** At most eight words. */
  readonly title: string;
  readonly explanation: string;
  readonly example?: string;
  /** What is wrong, with the values: lower case, no final period. */
  readonly message: Wording;
  /** An imperative that ends in a command, a flag, a key or an example. */
  readonly hint?: Wording;
  /** Labels another place that belongs to the finding. */
  readonly related?: Wording;
};

type Wording = Sentence | ((params: never) => Sentence | null);

export type Catalog = { readonly [code: string]: CatalogEntry };

/** An entry as `plait explain` and the reference page show it. */
export type CodeEntry = Pick<CatalogEntry, "severity" | "title" | "explanation" | "example"> & {
  readonly code: string;
};

export const listCodes = (catalog: Catalog): CodeEntry[] =>
  Object.entries(catalog).map(([code, entry]) => ({ code, ...entry }));

type Argument<W> = W extends (params: infer P) => unknown ? P : unknown;
type ArgumentOf<Entry, Key extends "message" | "hint" | "related"> = Entry extends {
  readonly [K in Key]: infer W;
}
  ? Argument<W>
  : unknown;

/** The values a code is worded from. */
export type CodeParams<C extends Catalog, Code extends keyof C> = ArgumentOf<C[Code], "message"> &
  ArgumentOf<C[Code], "hint">;

export type FindingDetails<C extends Catalog, Code extends keyof C> = {
  readonly related?: readonly ({ readonly at: SourceRange } & ArgumentOf<C[Code], "related">)[];
  /** If it differs from the catalog. */
  readonly severity?: Severity;
  /** A narrower code with the same wording: `bad-wave` for a `bad-value`. */
  readonly as?: string;
};

/** `build("unknown-need", { task, need }, at)`: the types of the values follow from the code. */
export type FindingBuilder<C extends Catalog, Result = Diagnostic> = <Code extends keyof C & string>(
  code: Code,
  params: CodeParams<C, Code>,
  at: SourceRange | null,
  details?: FindingDetails<C, Code>,
) => Result;

/** Turns codes and values into findings with text. Nothing reads or changes the text afterwards. */
export function createFindingBuilder<C extends Catalog>(catalog: C): FindingBuilder<C> {
  return (code, params, at, { severity, related = [], as } = {}) => {
    const entry = catalog[code] as CatalogEntry;
    return {
      code: as ?? code,
      severity: severity ?? entry.severity,
      message: formatWording(entry.message, params) ?? "",
      at,
      hint: formatWording(entry.hint, params),
      related: related.map((place) => ({
        at: place.at,
        message: formatWording(entry.related, place) ?? "",
      })),
    };
  };
}

function formatWording(wording: Wording | undefined, params: unknown): string | null {
  const text = typeof wording === "function" ? wording(params as never) : (wording ?? null);
  return text === null ? null : plainText(text);
}

/** `did you mean x?`, or what there is. */
export const suggest = (suggestion: string | null, otherwise: string): string =>
  suggestion === null ? otherwise : `did you mean \`${suggestion}\`?`;
