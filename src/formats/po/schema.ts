import { isIP } from "node:net";
import * as z from "zod";
import { isInsideAddress } from "../../util/inside-address.ts";
import { OLD_VERSION_KEY, VERSION_KEY } from "./detect.ts";

/** The only version of the format that there ever was. */
export const VERSION = "0.1";

/** Keys that parallel-orchestra leaves out where they say nothing may be empty here too. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().optional();
}

const text = z.string().min(1, { error: "a non-empty string" });

/** As far as tries may go; parallel-orchestra had no limit. */
const MOST_RETRIES = 100;
const MOST_OF_A_GROUP = 256;

const retries = whole(0, MOST_RETRIES).optional();

function whole(low: number, high: number) {
  return z.unknown().transform((written, context) => {
    const number = wholeOf(written);
    if (number !== null && number >= low && number <= high) return number;
    context.addIssue({ code: "custom", message: `a whole number from ${low} to ${high}` });
    return z.NEVER;
  });
}

/** What its values must be to one another, and how ids, agents and paths look, is for task-rules.ts and paths.ts. */
const task = z
  .strictObject({
    id: z.string(),
    agent: z.string(),
    read_only: z.boolean(),
    prompt: optional(z.string()),
    env: optional(z.record(z.string(), z.string())),
    writes: optional(z.array(text)),
    depends_on: optional(z.array(text)),
    max_retries: retries,
    concurrency_group: optional(text),
    /** Of plait alone: the task succeeds without a change, too. */
    allow_empty: optional(z.boolean()),
  })
  .meta({ title: "task" });

const webhookUrl = z.string().transform((address, context) => {
  const problem = webhookProblem(address);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
  return address;
});

function webhook(title: string) {
  return optional(z.strictObject({ webhook_url: webhookUrl }).meta({ title }));
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const manifest = z
  .strictObject({
    [VERSION_KEY]: z.literal(VERSION),
    name: optional(scalar),
    cwd: z.string({ error: "a path such as ." }),
    tasks: z.array(task),
    defaults: optional(z.strictObject({ max_retries: retries }).meta({ title: "defaults" })),
    concurrency_limits: optional(z.record(z.string(), whole(1, MOST_OF_A_GROUP))),
    on_complete: webhook("on_complete"),
    on_failure: webhook("on_failure"),
  })
  .meta({ title: "plan" });

export type Manifest = z.output<typeof manifest>;
export type ManifestTask = Manifest["tasks"][number];

/** Maps whose unknown keys parallel-orchestra warned of. */
const WARNED = ["defaults", "on_complete", "on_failure"];

export function isWarnedOf(section: PropertyKey | undefined): boolean {
  return WARNED.includes(String(section));
}

export function isVersionKey(key: PropertyKey | undefined): boolean {
  return key === VERSION_KEY || key === OLD_VERSION_KEY;
}

const LONGEST = 2048;

/** Names that are always this machine. */
const ownNames: ReadonlySet<string> = new Set([
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost6",
  "ip6-localhost",
  "ip6-loopback",
]);

/**
 * What an address of a webhook must be instead, as the end of "… must be", or of "… must" where it starts with "not"; null where
 * it may be used. What a name stands for is looked at when something is sent.
 */
function webhookProblem(address: string): string | null {
  if (!address.startsWith("https://") || !URL.canParse(address)) return "a URL that begins with https://";
  if (address.length > LONGEST) return `at most ${LONGEST} characters long`;
  // A URL writes numbers the usual way: 127.1, 0x7f000001 and 2130706433 are 127.0.0.1 here.
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isInside = isIP(host) === 0 ? ownNames.has(host.toLowerCase()) : isInsideAddress(host);
  return isInside ? "not point to this machine or a private network" : null;
}

/**
 * A whole number as Python's int() would take it, which is how parallel-orchestra reads numbers: of 2.9 the whole part, of a
 * text its digits, true is 1. Null for what is none.
 */
export function wholeOf(written: unknown): number | null {
  if (typeof written === "boolean") return Number(written);
  if (typeof written === "number") return Number.isFinite(written) ? Math.trunc(written) + 0 : null;
  if (typeof written !== "string" || !/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(written)) return null;
  return Number(written.replaceAll("_", "")) + 0;
}
