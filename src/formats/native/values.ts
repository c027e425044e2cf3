import * as z from "zod";
import { GUARDS } from "../../core/ownership/guarded.ts";
import type { Command, Range } from "../../core/plan.ts";
import { durationPattern, parseDuration, parseSize, sizePattern } from "../units.ts";

/**
 * The building blocks of the plan schema. A schema's `error` text is not a message but what is expected, as the end of
 * "… must be"; formats/catalog-values.ts makes the sentence.
 */

/** A key that may be left out; the description becomes editor help and part of the reference page. */
export function optional<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
): z.ZodOptional<Schema> {
  return schema.optional().describe(description);
}

const EMPTY = "a non-empty string";

export const text = z.string().regex(/\S/, { error: EMPTY });

export const line = z
  .string()
  .regex(/^[^\r\n]*\S[^\r\n]*$/, {
    error: ({ input }) => (String(input).trim() === "" ? EMPTY : "a single line"),
  })
  .max(200, { error: "at most 200 characters long" });

const MAX_DURATION_MS = 7 * 86_400_000;
export const durationExpected = "a duration such as 45m, 90s or 1h30m";

export const duration = z
  .string({ error: durationExpected })
  .regex(durationPattern, { error: durationExpected })
  .transform((written, context) => {
    const ms = parseDuration(written) ?? 0;
    if (ms <= 0 || ms > MAX_DURATION_MS)
      context.addIssue({ code: "custom", message: "more than 0 and at most 7d" });
    return ms;
  })
  .meta({
    id: "duration",
    title: "Duration",
    description: "Integers with units, largest first: 45m, 90s, 1h30m, 2d, 500ms. At most 7d.",
    examples: ["45m"],
  });

const sizeExpected = "a size such as 50MB or 10MiB";

export const size = z
  .union([
    z.string({ error: sizeExpected }).regex(sizePattern, { error: sizeExpected }),
    z.int().min(1, { error: "at least 1" }),
  ])
  .transform((written) => (typeof written === "number" ? written : (parseSize(written) ?? 0)))
  .meta({
    id: "size",
    title: "Size",
    description: "A number with a unit: 50MB, 10MiB. Without a unit: bytes.",
  });

export function whole(low: number, high: number) {
  const error = `an integer from ${low} to ${high}`;
  return z.int({ error }).min(low, { error }).max(high, { error });
}

export const usd = z.number().min(0).max(1_000_000);

export const usdRange = z
  .union([usd, z.tuple([usd, usd], { error: "a range [low, high]" })])
  .transform((written, context): Range => {
    const [low, high] = typeof written === "number" ? [written, written] : written;
    if (low > high) context.addIssue({ code: "custom", message: "a range with the lower number first" });
    return { low, high };
  })
  .meta({ id: "usd-range", title: "Amount", description: "USD: a number, or a range [low, high]." });

const argv = z.array(z.string(), { error: "a list" }).min(1, { error: "a list that starts with a program" });

export const command = z.union([text, argv]).transform(toCommand).meta({
  id: "command",
  title: "Command",
  description: "A string runs with sh -c; a list is a program and its arguments.",
});

/** In a list each item is a command, so a list of arguments stands inside another list. */
export const commands = z
  .union([text, z.array(command)])
  .transform((written) => (typeof written === "string" ? [toCommand(written)] : written))
  .meta({ id: "commands", title: "Commands", description: "A command, or a list of commands." });

function toCommand(written: string | string[]): Command {
  return typeof written === "string" ? { kind: "shell", line: written } : { kind: "argv", argv: written };
}

export const texts = z
  .union([text, z.array(text)])
  .transform((written) => (typeof written === "string" ? [written] : written))
  .meta({ id: "strings", title: "String or list", description: "A string, or a list of strings." });

const guard = z.union([
  z.enum(GUARDS),
  z
    .templateLiteral(["secrets:", z.string().min(1)])
    .meta({ description: "Paths where fake secrets may be added." }),
]);

export const guards = z
  .union([z.array(guard), guard])
  .transform((written) => (typeof written === "string" ? [written] : written))
  .meta({
    id: "guards",
    title: "Protected files",
    description:
      "Protected files: one kind, or a list of kinds. `secrets:test/fixtures/**` allows lines that look like secrets in these paths.",
  });

/** Names are checked when the plan is analysed. */
export const env = z
  .record(z.string(), z.string())
  .meta({ id: "env", title: "Environment", description: "Variables and their values. Values are strings." });

/** Without the keys that have no value: only what a file says. */
export function defined<Fields extends object>(fields: Fields) {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
