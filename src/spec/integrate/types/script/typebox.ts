import { bare } from "./constants.ts";
import { partsOf } from "./reading.ts";
import type { Step } from "./schema-form.ts";

/**
 * Schemas of TypeBox as those of Zod that say the same: `Type.Array(item, { minItems: 1 })` is `z.array(item)`. Both have calls for
 * the same things, mostly by the same names; TypeBox has options behind what the call is about.
 */
export function fromTypeBox(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => {
    const name = NAMES[step.name] ?? step.name.slice(0, 1).toLowerCase() + step.name.slice(1);
    const args = step.args.slice(0, PAIRS.has(name) ? 2 : 1);
    const [first] = args;
    const list = name === "intersection" && first !== undefined ? partsOf(bare(first).node) : args;
    const said = { ...step, name, args: PLAIN.test(name) ? [] : list };
    return hasDefault(step) ? [said, { ...step, name: "default", args: [] }] : [said];
  });
}

/** In the options, which come last. Validators fill it in. */
function hasDefault({ args }: Step): boolean {
  const options = args.at(-1);
  const isOptions = options?.type === "object";
  return isOptions && partsOf(options).some((pair) => pair.childForFieldName("key")?.text === "default");
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ Integer: "int", KeyOf: "keyof", ReadonlyOptional: "optional", Ref: "readonly" },
  ...{ Intersect: "intersection", Composite: "intersection", Enum: "nativeEnum" },
};
const PAIRS: ReadonlySet<string> = new Set(["record", "pick", "omit", "extract", "exclude"]);
/** These have nothing but options. */
const PLAIN = /^(?:string|int|number|boolean|null|undefined|any|unknown|never|date|bigInt|symbol|void)$/;
