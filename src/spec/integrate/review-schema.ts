import * as z from "zod";
import { strictSchema } from "../design/json-schema.ts";

/** The form of a review. Its evidence is checked by `checkReview`. */
const place = z.object({
  file: z.string().describe("Path from the root of the repository."),
  line: z.int().nullable().optional().describe("Null for the whole file."),
});

const section = z.object({
  section: z.string().describe("Name of the section, as in the list."),
  status: z
    .enum(["met", "deviates", "unclear"])
    .describe(
      "met: the code does what the sentences require. deviates: the code does something else, or part of it is missing. unclear: the code shows neither.",
    ),
  sentences: z
    .array(z.string())
    .describe("Sentences from the tech spec that support the status, copied word for word, one per item."),
  text: z.string().describe("One or two sentences: the deviation, or why it is unclear. Empty if met."),
  places: z.array(place).describe("Places in the code that show it."),
});

const judgement = z.object({ sections: z.array(section).describe("One per section of the list.") });

export type ReviewAnswer = z.output<typeof judgement>;
export type SectionAnswer = ReviewAnswer["sections"][number];

/** Without the key `$schema`: Claude Code rejects output schemas that have it. */
export function buildReviewSchema(): object {
  return strictSchema(z.toJSONSchema(judgement, { io: "input", target: "draft-2020-12" }));
}

export type ReadAnswer =
  | { readonly ok: true; readonly answer: ReviewAnswer }
  | { readonly ok: false; readonly problems: readonly string[] };

const MOST_PROBLEMS = 20;

export function readReview(text: string): ReadAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problems: [`the answer is not valid JSON: ${error.message}`] };
  }
  const parsed = judgement.safeParse(value);
  if (parsed.success) return { ok: true, answer: parsed.data };
  const problems = parsed.error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    return `${place.replace(/^\./, "") || "the answer"}: ${message}`;
  });
  return { ok: false, problems };
}
