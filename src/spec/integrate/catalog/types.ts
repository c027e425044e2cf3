import { capitalize, plainText } from "../../../core/text/sentence.ts";
import { formatList } from "../../format-list.ts";
import {
  type ByKind,
  compareByHand,
  type FixPlace,
  type IntegrationCatalog,
  matchContract,
  type Side,
  wordByKind,
} from "./entry.ts";

/** Members that only one side has, and those that are of another type. */
export type MemberDifference = {
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
  readonly others: readonly { readonly name: string; readonly here: string; readonly there: string }[];
};

/** A type as it is in the code and in the contract; `members` if both are too long to read. */
export type TypeDifference = {
  readonly here: string;
  readonly there: string;
  readonly members?: MemberDifference | null;
};

const MOST_MEMBERS = 4;
const formatNames = (names: readonly string[]): string =>
  formatList(
    names.map((one) => `\`${one}\``),
    MOST_MEMBERS,
  );

function formatMembers({ lacks, extra, others }: MemberDifference): string {
  const parts = [
    ...(lacks.length > 0 ? [`lacks ${formatNames(lacks)}`] : []),
    ...(extra.length > 0 ? [`has extra ${formatNames(extra)}`] : []),
    ...others.map(({ name, here, there }) => `has \`${name}: ${here}\` instead of \`${name}: ${there}\``),
  ];
  return parts.join(" and ");
}

function formatMembersFix({ lacks, extra, others }: MemberDifference): string {
  const parts = [
    ...(lacks.length > 0 ? [`add ${formatNames(lacks)}`] : []),
    ...(extra.length > 0 ? [`remove ${formatNames(extra)}`] : []),
    ...others.map(({ name, there }) => `declare \`${name}\` as \`${there}\``),
  ];
  return parts.join(", ");
}

function formatTypes(subject: string, { here, there, members }: TypeDifference): string {
  if (members != null) return `${subject} ${formatMembers(members)}`;
  return `${subject} is ${here} in the code, ${there} in the contract`;
}

/** A field of the code; `from`: the file and line that the type takes it from. */
export type CodeField = { readonly owner: string; readonly field: string; readonly from: string | null };

const formatField = ({ field, from }: CodeField): string =>
  `\`${field}\`${from === null ? "" : ` (from ${from})`}`;

const NOT_DECLARED = "not declared in any file";
const SAME = "; unclear whether they are the same";
const formatMore = (count: number): string => (count === 0 ? "" : `, and ${count} more`);

const UNCLEAR = {
  hidden: (type: { readonly side: Side; readonly reason: string }) =>
    `the type in the ${type.side} cannot be read: ${type.reason}`,
  type: (types: TypeDifference) => `${formatTypes("the type", types)}${SAME}`,
  field: (field: TypeDifference & CodeField) => `${formatTypes(formatField(field), field)}${SAME}`,
  value: ({ value }: { readonly value: string }) => `the value of \`${value}\` is unclear`,
  /** A field that is seen on the other side only. */
  "unseen-field": (seen: { readonly side: Side; readonly field: string; readonly reason: string }) =>
    `\`${seen.field}\` not found in the ${seen.side}, but ${seen.reason}`,
  "more-fields": ({ count }: { readonly count: number }) => `${count} more fields are unclear`,
  several: formatSeveral,
  /** A type with a conventional name may be meant; `first` is what differs in it. */
  convention: ({ found, first, more }: FoundTypes & { readonly first: string | null }) =>
    `${NOT_DECLARED}; unclear whether ${found.join(", ")} is meant${first === null ? "" : `: ${first}${formatMore(more)}`}`,
  unread: (file: { readonly path: string; readonly reason: string; readonly more: number }) =>
    `${NOT_DECLARED}, but ${file.path} cannot be read (${file.reason})${formatMore(file.more)}`,
  protocol: () => `${NOT_DECLARED}; any class may implement a protocol`,
  elsewhere: ({ from }: { readonly from: string }) => `declared in \`${from}\`, which plait does not read`,
  javascript: () => "not compared: the code is JavaScript, which declares no types",
  language: ({ language }: { readonly language: string }) =>
    `not compared: plait does not read ${language} types`,
};

type FoundTypes = { readonly found: readonly string[]; readonly more: number };

function formatSeveral({ found, more }: FoundTypes): string {
  return `several types have this name, and none matches the contract: ${found.join(", ")}${formatMore(more)}`;
}

type MissingField =
  | { readonly kind: "field"; readonly field: string; readonly owner: string }
  /** Both have it, under different names in data. */
  | { readonly kind: "alias"; readonly field: string; readonly here: string; readonly there: string };

type OptionalField = CodeField &
  TypeDifference & {
    /** Null: both are required, or both optional. */
    readonly isOptionalInCode: boolean | null;
    readonly isNullSame: boolean;
  };

const formatOptional = (isOptional: boolean): string => (isOptional ? "optional" : "required");

function formatOptionalField(params: OptionalField): string {
  const { isOptionalInCode, isNullSame } = params;
  const presence =
    isOptionalInCode === null
      ? null
      : `${formatOptional(isOptionalInCode)} in the code, ${formatOptional(!isOptionalInCode)} in the contract`;
  const types = formatTypes(formatField(params), params);
  if (presence === null) return types;
  return isNullSame ? `${formatField(params)} is ${presence}` : `${types}; ${presence}`;
}

export const typeCatalog = {
  "type-missing": {
    ...{ area: "types", severity: "error" },
    title: "Contract type is not implemented",
    explanation:
      "No file declares a type of this name (tests and artifact folders do not count), or several do and none matches the contract.",
    message: ({ found = [], more = 0 }: Partial<FoundTypes>) =>
      found.length === 0 ? NOT_DECLARED : formatSeveral({ found, more }),
    hint: ({ about, home }: FixPlace) =>
      `Declare \`${about}\`${home === undefined ? "" : ` in \`${home}\``} as in the contract`,
  },
  "type-unclear": {
    ...{ area: "types", severity: "note" },
    title: "Unclear whether a type matches the contract",
    explanation:
      "Several declarations have its name and none matches the contract, or it is declared in a way that only shows when the program runs.",
    message: (values: ByKind<typeof UNCLEAR>) => wordByKind(UNCLEAR, values),
    hint: compareByHand,
  },
  "type-kind": {
    ...{ area: "types", severity: "error" },
    title: "Type has another kind than the contract",
    explanation: "For example, an enum where the contract has a type with fields.",
    message: (params: TypeDifference) => formatTypes("the type", params),
    hint: ({ members, ...place }: TypeDifference & FixPlace) =>
      members == null ? matchContract(place) : plainText(capitalize(formatMembersFix(members))),
  },
  "field-missing": {
    ...{ area: "types", severity: "error" },
    title: "Contract field is missing",
    explanation: "The type is implemented without this field, or the field has another name in data.",
    message: (params: MissingField & FixPlace) =>
      params.kind === "alias"
        ? `\`${params.field}\` is called \`${params.here}\` in data, \`${params.there}\` in the contract`
        : `\`${params.field}\` is missing${params.owner === params.about ? "" : ` in \`${params.owner}\``}`,
    hint: (params: MissingField) =>
      params.kind === "alias"
        ? `Rename \`${params.field}\` to \`${params.there}\` in data`
        : `Add \`${params.field}\` to \`${params.owner}\``,
  },
  "field-extra": {
    ...{ area: "types", severity: "error" },
    title: "Field is not in the contract",
    explanation: "The code has the field, the contract does not. Other tasks do not know about it.",
    message: (params: CodeField & { readonly isColumn: boolean }) =>
      `${params.isColumn ? "column " : ""}${formatField(params)} is not in the contract`,
    hint: ({ field, owner }: CodeField) => `Remove \`${field}\` from \`${owner}\`, or add it to the contract`,
  },
  "field-type": {
    ...{ area: "types", severity: "error" },
    title: "Field has another type than the contract",
    explanation: "Different spellings of one type do not count, such as Optional[str] and str | None.",
    message: (params: CodeField & TypeDifference) => formatTypes(formatField(params), params),
    hint: ({ field, owner, there, members }: CodeField & TypeDifference) =>
      members == null
        ? `Declare \`${field}\` of \`${owner}\` as ${there}`
        : `Change \`${field}\` of \`${owner}\`: ${formatMembersFix(members)}`,
  },
  "field-optional": {
    ...{ area: "types", severity: "error" },
    title: "Field is optional or nullable on one side",
    explanation: "Code that follows the contract omits a field that is required, or does not expect null.",
    message: formatOptionalField,
    hint: ({ field, owner, there, isOptionalInCode, isNullSame }: OptionalField) =>
      isNullSame
        ? `Make \`${field}\` of \`${owner}\` ${formatOptional(isOptionalInCode !== true)}`
        : `Declare \`${field}\` of \`${owner}\` as ${there}`,
  },
  "value-missing": {
    ...{ area: "types", severity: "error" },
    title: "Contract value is missing",
    explanation: "The enum, or the union of literals, does not have the value.",
    message: ({ value }: { readonly value: string }) => `value \`${value}\` is missing`,
    hint: ({ value }: { readonly value: string }) => `Add the value \`${value}\``,
  },
  "value-extra": {
    ...{ area: "types", severity: "error" },
    title: "Value is not in the contract",
    explanation: "The enum, or the union of literals, has a value that the contract does not have.",
    message: ({ value }: { readonly value: string }) => `value \`${value}\` is not in the contract`,
    hint: ({ value }: { readonly value: string }) =>
      `Remove the value \`${value}\`, or add it to the contract`,
  },
} as const satisfies IntegrationCatalog;
