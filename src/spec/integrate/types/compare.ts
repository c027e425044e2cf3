import { type Compare, compareFields, comparing } from "./compare-fields.ts";
import type { Difference } from "./difference.ts";
import { namedDifference } from "./difference-words.ts";
import { isEverywhere, type LinkedType } from "./link.ts";
import { membersOf, type Same, sameType } from "./same-type.ts";
import type { TypeShape, ValueType } from "./shape.ts";
import { unionOf } from "./value-types.ts";
import { typeInWords, type Words } from "./words.ts";

/** In what a type of the code is otherwise than the contract says; empty where it is not. Both are what they are in the end. */
export function compareTypes(contract: LinkedType, code: LinkedType, compare: Compare): Difference[] {
  const [wanted, found] = [contract.shape, code.shape];
  const at = { file: code.file, line: code.line };
  const unclear = (message: string): Difference[] => [
    { code: "type-unclear", weight: "cannot-tell", message, at },
  ];
  if (wanted.kind === "unknown") return unclear(`the contract cannot be seen: ${wanted.why}`);
  if (found.kind === "unknown") return unclear(`what it is here cannot be seen: ${found.why}`);
  if (wanted.kind === "fields" && found.kind === "fields")
    return compareFields({ ...contract, shape: wanted }, { ...code, shape: found }, compare);
  if (wanted.kind === "values" && found.kind === "values")
    return compareValues(wanted.values, found.values, at);
  if (wanted.kind === "alias" && found.kind === "alias")
    return compareAliases(wanted, found, { ...compare, at });
  const said = `it is ${kindInWords(found, compare.words)} here and ${kindInWords(wanted, compare.words)} in the contract`;
  return [wanted, found].some(isOpen)
    ? unclear(`${said}; whether that is the same cannot be seen`)
    : [{ code: "type-kind", weight: "must", message: said, at }];
}

type Alias = Extract<TypeShape, { kind: "alias" }>;

function compareAliases(
  wanted: Alias,
  found: Alias,
  { sides, words, at }: Compare & Pick<Difference, "at">,
): Difference[] {
  const { isSameNull, rest } = sameType(
    { contract: wanted.type, code: found.type, depth: 0 },
    comparing(sides),
  );
  if (rest === "same" && isSameNull) return [];
  const same = comparing(sides);
  const named =
    rest === "other" ? namedDifference({ wanted: wanted.type, found: found.type }, same, words) : null;
  if (named !== null)
    return [
      { code: "type-kind", weight: "must", message: `it ${named.text}`, at, fix: sentenceOf(named.fix) },
    ];
  const [here, there] = unlike(found.type, wanted.type, same).map((type) => typeInWords(type, words));
  const said = `it is \`${here}\` here and \`${there}\` in the contract`;
  return rest === "unclear"
    ? [
        {
          ...{ code: "type-unclear", weight: "cannot-tell", at },
          message: `${said}; whether that is the same cannot be seen`,
        },
      ]
    : [{ code: "type-kind", weight: "must", message: said, at }];
}

const sentenceOf = (clause: string): string => clause.slice(0, 1).toUpperCase() + clause.slice(1);

/** Of long unions, those members that the other side does not have. */
function unlike(found: ValueType, wanted: ValueType, same: Same): readonly [ValueType, ValueType] {
  const [by, of] = [membersOf(found), membersOf(wanted)];
  const isSame = (contract: ValueType, code: ValueType) =>
    sameType({ contract, code, depth: 0 }, same).rest === "same";
  const extra = by.filter((code) => !of.some((contract) => isSame(contract, code)));
  const left = of.filter((contract) => !by.some((code) => isSame(contract, code)));
  return extra.length === 0 || left.length === 0 ? [found, wanted] : [unionOf(extra), unionOf(left)];
}

/** A name that cannot be seen may stand for anything. */
const isOpen = (shape: TypeShape) =>
  shape.kind === "alias" &&
  membersOf(shape.type).some(
    (one) => one.kind === "unknown" || (one.kind === "name" && !isEverywhere(one.name)),
  );

function kindInWords(shape: TypeShape, words: Words): string {
  if (shape.kind === "fields")
    return shape.fields.every(({ isImplied }) => isImplied) ? "a type without fields" : "a type with fields";
  if (shape.kind === "alias") return `\`${typeInWords(shape.type, words)}\``;
  if (shape.kind === "unknown") return "a type that cannot be seen";
  const told = shape.values.slice(0, MOST).map((value) => `\`${value}\``);
  return `one of ${told.join(", ")}${shape.values.length > MOST ? " …" : ""}`;
}

const MOST = 3;

/** `RED = auto()`, `READ = 1 << 0`: may be any value that is missed on the other side. */
const isComputed = (value: string) => /^\w+ = /.test(value);

function compareValues(
  contract: readonly string[],
  code: readonly string[],
  at: Difference["at"],
): Difference[] {
  const missing = contract.filter((value) => !code.includes(value));
  const extra = code.filter((value) => !contract.includes(value));
  const hidden = [...missing, ...extra].find(isComputed);
  const lost = extra.some(isComputed) ? [] : missing.filter((value) => !isComputed(value));
  const added = missing.some(isComputed) ? [] : extra.filter((value) => !isComputed(value));
  return [
    ...lost.map(
      (value): Difference => ({
        ...difference("value-missing", `\`${value}\` of the contract is missing`, at),
        member: value,
        fix: `Add the value \`${value}\``,
      }),
    ),
    ...added.map(
      (value): Difference => ({
        ...difference("value-extra", `\`${value}\` is not in the contract`, at),
        member: value,
        fix: `Remove the value \`${value}\`, or add it to the contract`,
      }),
    ),
    ...(hidden === undefined
      ? []
      : [
          {
            ...({ code: "type-unclear", weight: "cannot-tell", at } as const),
            message: `which value \`${hidden}\` stands for cannot be seen`,
          },
        ]),
  ];
}

const difference = (code: Difference["code"], message: string, at: Difference["at"]): Difference => ({
  code,
  weight: "must",
  message,
  at,
});
