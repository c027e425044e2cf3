import { buildFinding } from "../catalog/catalog.ts";
import type { FindingPlace, FoundFinding } from "../finding.ts";
import { type Compare, compareFields, comparing } from "./compare-fields.ts";
import { isEverywhere, type LinkedType } from "./link.ts";
import { findMemberDifference } from "./member-difference.ts";
import { type Same, sameType } from "./same-type.ts";
import type { TypeShape, ValueType } from "./shape.ts";
import { unionMembers, unionOf } from "./value-types.ts";
import { typeInWords, type Words } from "./words.ts";

/** In what a type of the code differs from the contract. Both are resolved. */
export function compareTypes(contract: LinkedType, code: LinkedType, compare: Compare): FoundFinding[] {
  const [wanted, found] = [contract.shape, code.shape];
  const place = { about: contract.name, at: { file: code.file, line: code.line } };
  if (wanted.kind === "unknown")
    return [buildFinding("type-unclear", { kind: "hidden", side: "contract", reason: wanted.why }, place)];
  if (found.kind === "unknown")
    return [buildFinding("type-unclear", { kind: "hidden", side: "code", reason: found.why }, place)];
  if (wanted.kind === "fields" && found.kind === "fields")
    return compareFields({ ...contract, shape: wanted }, { ...code, shape: found }, compare);
  if (wanted.kind === "values" && found.kind === "values")
    return compareValues(wanted.values, found.values, place);
  if (wanted.kind === "alias" && found.kind === "alias")
    return compareAliases(wanted, found, { ...compare, place });
  const kinds = { here: kindInWords(found, compare.words), there: kindInWords(wanted, compare.words) };
  return [wanted, found].some(isOpen)
    ? [buildFinding("type-unclear", { kind: "type", ...kinds }, place)]
    : [buildFinding("type-kind", kinds, place)];
}

type Alias = Extract<TypeShape, { kind: "alias" }>;

function compareAliases(
  wanted: Alias,
  found: Alias,
  { sides, words, place }: Compare & { readonly place: FindingPlace },
): FoundFinding[] {
  const { isSameNull, rest } = sameType(
    { contract: wanted.type, code: found.type, depth: 0 },
    comparing(sides),
  );
  if (rest === "same" && isSameNull) return [];
  const same = comparing(sides);
  const members =
    rest === "other" ? findMemberDifference({ wanted: wanted.type, found: found.type }, same, words) : null;
  const [by, of] = unlike(found.type, wanted.type, same);
  const types = { here: `\`${typeInWords(by, words)}\``, there: `\`${typeInWords(of, words)}\`` };
  return rest === "unclear"
    ? [buildFinding("type-unclear", { kind: "type", ...types }, place)]
    : [buildFinding("type-kind", { ...types, members }, place)];
}

/** Of long unions, those members that the other side does not have. */
function unlike(found: ValueType, wanted: ValueType, same: Same): readonly [ValueType, ValueType] {
  const [by, of] = [unionMembers(found), unionMembers(wanted)];
  const isSame = (contract: ValueType, code: ValueType) =>
    sameType({ contract, code, depth: 0 }, same).rest === "same";
  const extra = by.filter((code) => !of.some((contract) => isSame(contract, code)));
  const left = of.filter((contract) => !by.some((code) => isSame(contract, code)));
  return extra.length === 0 || left.length === 0 ? [found, wanted] : [unionOf(extra), unionOf(left)];
}

/** A name that cannot be seen may stand for anything. */
const isOpen = (shape: TypeShape) =>
  shape.kind === "alias" &&
  unionMembers(shape.type).some(
    (one) => one.kind === "unknown" || (one.kind === "name" && !isEverywhere(one.name)),
  );

function kindInWords(shape: TypeShape, words: Words): string {
  if (shape.kind === "fields")
    return shape.fields.every(({ isImplied }) => isImplied) ? "a type without fields" : "a type with fields";
  if (shape.kind === "alias") return `\`${typeInWords(shape.type, words)}\``;
  if (shape.kind === "unknown") return "an unreadable type";
  const values = shape.values.slice(0, MOST).map((value) => `\`${value}\``);
  return `one of ${values.join(", ")}${shape.values.length > MOST ? " …" : ""}`;
}

const MOST = 3;

/** `RED = auto()`, `READ = 1 << 0`: may be any value that is missed on the other side. */
const isComputed = (value: string) => /^\w+ = /.test(value);

function compareValues(
  contract: readonly string[],
  code: readonly string[],
  place: FindingPlace,
): FoundFinding[] {
  const missing = contract.filter((value) => !code.includes(value));
  const extra = code.filter((value) => !contract.includes(value));
  const hidden = [...missing, ...extra].find(isComputed);
  const lost = extra.some(isComputed) ? [] : missing.filter((value) => !isComputed(value));
  const added = missing.some(isComputed) ? [] : extra.filter((value) => !isComputed(value));
  return [
    ...lost.map((value) => buildFinding("value-missing", { value }, { ...place, member: value })),
    ...added.map((value) => buildFinding("value-extra", { value }, { ...place, member: value })),
    ...(hidden === undefined ? [] : [buildFinding("type-unclear", { kind: "value", value: hidden }, place)]),
  ];
}
