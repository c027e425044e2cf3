import { isEverywhere, isKey, type LinkedType, type LinkedTypes, shapeWith } from "./link.ts";
import type { NameType, TypeShape, ValueType } from "./shape.ts";
import { isNamed, unionMembers } from "./value-types.ts";

/** What both sides know, and how their types are told apart. */
export type Sides = {
  readonly contract: LinkedTypes;
  readonly code: LinkedTypes;
  /** Names of the types that the contract declares: none of them stands for another. */
  readonly contractNames: ReadonlySet<string>;
};

export type Sameness = "same" | "other" | "unclear";

/** Whether null is in both or in none is told apart: where nobody expects it, it is another mistake than another type. */
export type TypeSameness = { readonly isSameNull: boolean; readonly rest: Sameness };

export type Same = {
  readonly sides: Sides;
  /** Two shapes that are only used by others, under whatever names. */
  readonly shapes: (contract: TypeShape, code: TypeShape, depth: number) => Sameness;
};

/** A contract and the code, each as far down as was looked. */
type Pair<T> = { readonly contract: T; readonly code: T; readonly depth: number };

const DEEPEST = 6;

/**
 * Whether two types hold the same data, however they are written. What a contract leaves open (`Any`) the code may fill in; what
 * the code leaves open cannot be judged.
 */
export function sameType({ contract, code, depth }: Pair<ValueType>, same: Same): TypeSameness {
  const { sides } = same;
  const isJudged = judgedNames(contract, code, sides);
  const of = unionMembers(contract).flatMap((one) =>
    isJudged(one) ? [] : unionMembers(sides.contract.expanded(one)),
  );
  const by = unionMembers(code).flatMap((one) =>
    isJudged(one) ? [] : unionMembers(sides.code.expanded(one)),
  );
  const values = { contract: of.filter(isNotNull), code: by.filter(isNotNull), depth };
  const rest = depth > DEEPEST ? "unclear" : sameMembers(values, same);
  const isOpen = [...of, ...by].some((one) => isNamed(one, "any"));
  const isHidden = rest === "unclear" && [...of, ...by].some(({ kind }) => kind === "unknown");
  return { rest, isSameNull: of.every(isNotNull) === by.every(isNotNull) || isOpen || isHidden };
}

/** What both sides call by a name of the contract is judged where that stands, and not in each place that uses it. */
function judgedNames(contract: ValueType, code: ValueType, { contractNames }: Sides) {
  const names = (type: ValueType) =>
    unionMembers(type).flatMap((one) =>
      one.kind === "name" && isKey(one.name) && one.args.length === 0 ? bareName(one.name) : [],
    );
  const there = new Set(names(code));
  const both = new Set(names(contract).filter((name) => there.has(name) && contractNames.has(name)));
  return (type: ValueType) => type.kind === "name" && isKey(type.name) && both.has(bareName(type.name));
}

function sameMembers(pair: Pair<readonly ValueType[]>, same: Same): Sameness {
  const { contract: of, code: by, depth } = pair;
  if (of.some((one) => isNamed(one, "any"))) return "same";
  if (by.some((one) => isNamed(one, "any"))) return "unclear";
  const member = (contract: ValueType, code: ValueType) => sameMember({ contract, code, depth }, same);
  const left = of.filter((one) => !by.some((other) => member(one, other) === "same"));
  const extra = by.filter((other) => !of.some((one) => member(one, other) === "same"));
  if (left.length === 0 && extra.length === 0) return "same";
  const values = sameValues(left, extra, same.sides);
  if (values !== null) return values;
  const isHidden =
    left.some((one) => isOpaque(one, same.sides.contract)) ||
    extra.some((one) => isOpaque(one, same.sides.code) && !isOfContract(one, same.sides));
  const isUnclear = left.some((one) => extra.some((other) => member(one, other) === "unclear"));
  return isHidden || isUnclear ? "unclear" : "other";
}

/** An enum, and the literals that are its values. */
function sameValues(of: readonly ValueType[], by: readonly ValueType[], sides: Sides): Sameness | null {
  if (![...of, ...by].some(({ kind }) => kind === "literal")) return null;
  const some = of.map((one) => valuesIn(one, sides.contract));
  const others = by.map((one) => valuesIn(one, sides.code));
  if (some.includes(null) || others.includes(null)) return null;
  const [wanted, found] = [new Set(some.flat()), new Set(others.flat())];
  return wanted.size === found.size && [...wanted].every((value) => found.has(value)) ? "same" : "other";
}

function sameMember(pair: Pair<ValueType>, same: Same): Sameness {
  const { contract, code } = pair;
  if (contract.kind === "unknown" && code.kind === "unknown" && contract.text === code.text) return "same";
  if (contract.kind === "unknown" || code.kind === "unknown") return "unclear";
  if (contract.kind === "literal" && code.kind === "literal")
    return contract.value === code.value ? "same" : "other";
  if (contract.kind === "name" && code.kind === "name") return sameName({ ...pair, contract, code }, same);
  return sameShapes(pair, same);
}

function sameName(pair: Pair<NameType>, same: Same): Sameness {
  const { contract, code } = pair;
  const isPlain = [contract, code].map(({ name }) => isEverywhere(name));
  if (bareName(contract.name) === bareName(code.name) && isPlain[0] === isPlain[1])
    return sameArguments(pair, same);
  if (isPlain.includes(true)) return samePlain(contract, code, same.sides);
  if (isOfContract(code, same.sides)) return "other";
  return sameShapes(pair, same);
}

function sameShapes({ contract, code, depth }: Pair<ValueType>, { sides, shapes }: Same): Sameness {
  const [of, by] = [shapeOf(contract, sides.contract), shapeOf(code, sides.code)];
  if (of !== null && by !== null) return shapes(of, by, depth + 1);
  return isOpaque(contract, sides.contract) || isOpaque(code, sides.code) ? "unclear" : "other";
}

/** A `tuple`, or a generic type, of which the contract does not say of what is one of anything. */
function sameArguments({ contract, code, depth }: Pair<NameType>, same: Same): Sameness {
  if (contract.args.length === 0) return "same";
  if (code.args.length === 0) return "unclear";
  if (contract.args.length !== code.args.length) return isEverywhere(code.name) ? "other" : "unclear";
  const all = contract.args.map((arg, i): Sameness => {
    const pair = { contract: arg, code: code.args[i] as ValueType, depth: depth + 1 };
    const { isSameNull, rest } = sameType(pair, same);
    return rest === "same" && !isSameNull ? "other" : rest;
  });
  return worst(all);
}

/** One of the names, at least, means the same everywhere. */
function samePlain(contract: NameType, code: NameType, sides: Sides): Sameness {
  if (isOpaque(contract, sides.contract) || isOpaque(code, sides.code)) return "unclear";
  const own = sides.contract.byKey(contract.name) ?? sides.code.byKey(code.name);
  const plain = [contract.name, code.name].filter(isEverywhere);
  const isOpen = plain.every((name) => /^(?:map|object)$/.test(name));
  return isOpen && (own === null || isData(own)) ? "unclear" : "other";
}

export const worst = (all: readonly Sameness[]): Sameness =>
  all.includes("other") ? "other" : all.includes("unclear") ? "unclear" : "same";

/** What is a dictionary, or an object without a class, when it is there. */
const isData = ({ sort, shape }: LinkedType) =>
  shape.kind === "fields" && /^(?:TypedDict|interface|type|z\.\w+)$/.test(sort);

const isNotNull = (type: ValueType) => !isNamed(type, "null");

/** Without the file. */
const bareName = (name: string) => name.replace(/^.*#/, "");

/** A name of the contract means that type and no other, also where nobody sees where it comes from. */
const isOfContract = (type: ValueType, { contractNames }: Sides) =>
  type.kind === "name" && contractNames.has(bareName(type.name));

/** The name of something that cannot be seen: it may be anything. */
function isOpaque(type: ValueType, types: LinkedTypes): boolean {
  if (type.kind === "unknown") return true;
  if (type.kind !== "name" || isEverywhere(type.name)) return false;
  return types.byKey(type.name)?.shape.kind === "unknown" || !isKey(type.name);
}

/** The values that it is one of, where it is an enum or a literal. */
export function valuesIn(type: ValueType, types: LinkedTypes): readonly string[] | null {
  if (type.kind === "literal") return [type.value];
  const shape = shapeOf(type, types);
  return shape?.kind === "values" ? shape.values : null;
}

function shapeOf(type: ValueType, types: LinkedTypes): TypeShape | null {
  if (type.kind === "fields") return { kind: "fields", fields: type.fields, more: null };
  const shape = type.kind === "name" ? types.byKey(type.name)?.shape : undefined;
  return shape === undefined || type.kind !== "name" ? null : shapeWith(shape, type.args);
}
