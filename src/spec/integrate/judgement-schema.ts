import * as z from "zod";
import { strictSchema } from "../design/json-schema.ts";

/** What an agent answers about a tech spec. Whether it holds is checked apart. */
const place = z.object({
  file: z.string().describe("From the root of the repository."),
  line: z.int().nullable().optional().describe("Null where all of the file is meant."),
});

const section = z.object({
  section: z.string().describe("Its name, as it stands in the list."),
  status: z
    .enum(["met", "deviates", "cannot-tell"])
    .describe(
      "met: the code does what the sentences say. deviates: it does something else, or lacks it. cannot-tell: neither can be shown from the code.",
    ),
  sentences: z
    .array(z.string())
    .describe("The sentences of the tech spec that this rests on, copied from it word for word, one each."),
  says: z
    .string()
    .describe("One or two sentences: what deviates, or why it cannot be told. Empty where it is met."),
  places: z.array(place).describe("Where the code shows it."),
});

const judgement = z.object({ sections: z.array(section).describe("One for each section of the list.") });

export type JudgementAnswer = z.output<typeof judgement>;
export type SectionAnswer = JudgementAnswer["sections"][number];

/** Without the key `$schema`: Claude Code takes no schema for structured output that has it. */
export function judgementJsonSchema(): object {
  return strictSchema(z.toJSONSchema(judgement, { io: "input", target: "draft-2020-12" }));
}

export type ReadAnswer =
  | { readonly ok: true; readonly answer: JudgementAnswer }
  | { readonly ok: false; readonly problems: readonly string[] };

const MOST_PROBLEMS = 20;

export function readJudgement(text: string): ReadAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problems: [`the answer is no JSON document: ${error.message}`] };
  }
  const parsed = judgement.safeParse(value);
  if (parsed.success) return { ok: true, answer: parsed.data };
  const problems = parsed.error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    return `${place.replace(/^\./, "") || "the document"}: ${message}`;
  });
  return { ok: false, problems };
}
