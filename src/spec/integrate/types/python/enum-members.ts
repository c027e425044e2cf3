import type { Expression } from "./expression.ts";
import type { Names } from "./names.ts";
import type { Assignment } from "./source.ts";

/** What is known of the class that members are in. */
export type EnumClass = {
  readonly bases: readonly string[];
  readonly names: Names;
  readonly ownAuto: boolean;
};

/**
 * The values of an enum, each once, as JSON writes them. What only a program that runs can know stays as it is written, with its
 * name: `READ = 1 << 0`, `RED = auto()`; two enums that are written alike are alike.
 */
export function enumValues(assignments: readonly Assignment[], of: EnumClass): string[] {
  const values = assignments.flatMap(({ name, value }) =>
    value === null || name.startsWith("_") ? [] : (memberValue(name, value, of) ?? []),
  );
  return [...new Set(values)];
}

function memberValue(name: string, value: Expression, { bases, names, ownAuto }: EnumClass): string | null {
  const written = `${name} = ${value.text}`;
  switch (value.kind) {
    case "literal":
      return value.value;
    case "list": {
      // With the label that Django shows: `ACTIVE = "active", "Active"`.
      const [first] = value.of;
      const isChoice = bases.some((base) => /^django\.(?:Text|Integer)Choices$/.test(names.meaning(base)));
      return isChoice && first?.kind === "literal" ? first.value : written;
    }
    case "call": {
      const meaning = value.of.kind === "name" ? names.meaning(value.of.name) : "";
      if (meaning === "enum.nonmember") return null;
      const [first] = value.args;
      if (meaning === "enum.member" && first !== undefined)
        return first.kind === "literal" ? first.value : written;
      // By definition, the name in small letters.
      const isText = bases.some((base) => names.meaning(base) === "enum.StrEnum");
      return meaning === "enum.auto" && isText && !ownAuto ? JSON.stringify(name.toLowerCase()) : written;
    }
    default:
      return written;
  }
}
