// The answer of an agent that drafts a tech spec: a title, and the Markdown below it. Front matter, number and heading are written by plait.

import * as z from "zod";
import { strictSchema } from "../design/json-schema.ts";
import { hasObject, saidObject } from "../said-object.ts";
import { toOneLine } from "./names.ts";
import { listSections, PLACEHOLDER } from "./new-text.ts";

const draft = z.object({
  title: z.string().describe("A few words without an id, such as Stock reports"),
  body: z.string().describe("The Markdown below the title, from ## Summary to the last section"),
});

export type SpecDraft = z.output<typeof draft>;

export function draftJsonSchema(): object {
  return strictSchema(z.toJSONSchema(draft, { io: "input", target: "draft-2020-12" }));
}

export type ReadDraft =
  | { readonly ok: true; readonly draft: SpecDraft }
  | { readonly ok: false; readonly problems: readonly string[] };

export function readDraft(reply: string): ReadDraft {
  const text = saidObject(reply, "body");
  if (!hasObject(text)) return { ok: false, problems: ["the answer has no JSON document"] };
  const read = draft.safeParse(parseJson(text));
  if (!read.success)
    return {
      ok: false,
      problems: read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
    };
  const title = toOneLine(read.data.title).replace(/^TS-\d+\s*[:–—-]?\s*/, "");
  const body = withoutHeading(read.data.body);
  const problems = [...(title === "" ? ["`title` is empty"] : []), ...checkBody(body)];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, draft: { title, body } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // then the schema says what is wrong
  }
}

/** Some begin with front matter or the title all the same. */
function withoutHeading(body: string): string {
  return body
    .replaceAll("\r\n", "\n")
    .replace(/^\s*---\n[\s\S]*?\n---\n/, "")
    .replace(/^\s*# .*\n?/, "")
    .trim();
}

function checkBody(body: string): string[] {
  const given = new Set(
    Array.from(body.matchAll(/^##[ \t]+(.+?)[ \t]*$/gm), ([, name = ""]) => name.toLowerCase()),
  );
  const missing = listSections().filter(({ name }) => !given.has(name.toLowerCase()));
  return [
    ...missing.map(({ name }) => `the section \`## ${name}\` is missing`),
    ...(body.includes(PLACEHOLDER) ? [`it still contains ${PLACEHOLDER}`] : []),
  ];
}
