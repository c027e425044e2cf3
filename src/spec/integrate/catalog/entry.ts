import type { Catalog, CatalogEntry } from "../../../core/catalog.ts";
import type { FindingPlace, IntegrationArea } from "../finding.ts";

/** Severity decides the weight: errors must be fixed, warnings should be, notes are unclear. */
export type IntegrationCatalog = {
  readonly [code: string]: CatalogEntry & {
    readonly area: IntegrationArea;
    readonly hint: NonNullable<Catalog[string]["hint"]>;
  };
};

/** Fixes may name the subject and its file. */
export type FixPlace = Pick<FindingPlace, "about" | "at" | "home">;

export const formatFile = ({ at }: FixPlace): string => (at === null ? "the file" : `\`${at.file}\``);

export const compareByHand = ({ about }: FixPlace): string =>
  `Compare \`${about}\` with the contract by hand`;

export const matchContract = (place: FixPlace): string =>
  `Change \`${place.about}\` in ${formatFile(place)} to match the contract`;

/** The values of a finding that is worded in one of several ways, by kind. */
export type ByKind<Words> = {
  readonly [K in keyof Words]: { readonly kind: K } & (Words[K] extends (values: infer V) => string
    ? V
    : never);
}[keyof Words];

export function wordByKind<Words extends { readonly [kind: string]: (values: never) => string }>(
  words: Words,
  values: ByKind<Words>,
): string {
  return (words[values.kind] as (values: ByKind<Words>) => string)(values);
}

/** In the code, or in the contract. */
export type Side = "code" | "contract";
