import type { CodeEntry } from "../../core/analyze/code-entry.ts";

/** Findings about tech specs. */
export const techSpecCodes = [
  {
    code: "tech-spec-id",
    severity: "error",
    title: "A tech spec does not say its id",
    explanation:
      "The front matter of a tech spec has tech_spec_id: TS- and at least four digits. Artefact folders, task files and commands name the spec by it. plait spec new takes the next free one.",
    example: "---\ntech_spec_id: TS-0042\ntitle: Inventory service\nstatus: DRAFT\n---",
  },
  {
    code: "tech-spec-status",
    severity: "error",
    title: "A tech spec has no status that plait knows",
    explanation:
      "status is DRAFT while it is written, APPROVED when it may be built, REFERENCE when it is built, and ARCHIVED when it is given up or replaced. plait spec status ID --set STATUS changes it and moves the file.",
    example: "status: APPROVED",
  },
  {
    code: "tech-spec-twice",
    severity: "error",
    title: "Two tech specs have the same id",
    explanation:
      "Which of them is meant would be a guess. Give one of them the next free number, in its front matter and in its name; where both are the same document, a move was cut off, and the older one can go.",
  },
  {
    code: "tech-spec-place",
    severity: "warning",
    title: "A tech spec lies elsewhere than it says",
    explanation:
      "The folder of a tech spec tells its status, draft, approved, reference or archive, and its name begins with its id. What the front matter says counts. plait spec status ID --set with the status that it has puts the file where it belongs.",
  },
  {
    code: "tech-spec-draft",
    severity: "warning",
    title: "A tech spec that is worked from is still a draft",
    explanation:
      "What is made from a draft may have to be made again when the draft changes. Approve it first: plait spec status ID --set approved.",
  },
  {
    code: "tech-spec-unfinished",
    severity: "warning",
    title: "A tech spec still has places that are to be replaced",
    explanation:
      "A new tech spec has REPLACE ME where text is missing. An agent would take these words for requirements, so none is asked: plait spec decompose and plait spec go stop with an error that lists every place. Elsewhere it is a warning. Write the text, or delete the section.",
  },
  {
    code: "tech-spec-too-large",
    severity: "error",
    title: "A tech spec is too large",
    explanation:
      "A tech spec is a document of some pages, and at most 1 MiB. The limit is checked before the file is read; it protects against a file of that name that is something else.",
  },
] as const satisfies readonly CodeEntry[];

export type TechSpecCode = (typeof techSpecCodes)[number]["code"];
