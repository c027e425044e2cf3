import { type Catalog, createFindingBuilder, type FindingBuilder } from "../../core/catalog.ts";
import { plait } from "../../core/text/command.ts";
import { count, quoted } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { type Strings, type Suggested, wordKinds } from "../../formats/catalog-kinds.ts";

type Spec = Strings<"id">;
/** A missing value, and the key it may be written under. */
type Missing = { readonly value: null; readonly misspelled: string | null };
type Wrong = Strings<"value"> & Suggested;

type Unfinished = { readonly placeholder: string; readonly places: number; readonly id?: string };

export const techSpecCatalog = {
  "tech-spec-id": {
    severity: "error",
    title: "Missing or invalid tech spec id",
    explanation:
      "The front matter of a tech spec has tech_spec_id: TS- and at least four digits. Artifact folders, task files and commands use this id; `plait spec new` takes the next free one.",
    example: "---\ntech_spec_id: TS-0042\ntitle: Inventory service\nstatus: DRAFT\n---",
    message: ({ value }: Pick<Missing | Wrong, "value">) =>
      value === null ? "the tech spec has no tech_spec_id" : `invalid tech_spec_id ${quoted(value)}`,
    hint: (params: Missing | Wrong) => {
      if (params.value === null)
        return params.misspelled === null
          ? "add `tech_spec_id: TS-0042`"
          : `rename ${quoted(params.misspelled)} to \`tech_spec_id\``;
      return `set \`tech_spec_id: ${params.suggestion ?? "TS-0042"}\``;
    },
  },
  "tech-spec-status": {
    severity: "error",
    title: "Missing or unknown tech spec status",
    explanation:
      "status is DRAFT while the spec is written, APPROVED when it may be built, REFERENCE when it is built, and ARCHIVED when it is dropped or replaced. `plait spec status <id> --set <status>` changes it and moves the file.",
    example: "status: APPROVED",
    message: ({ value }: Pick<Missing | Wrong, "value">) =>
      value === null ? "the tech spec has no status" : `unknown status ${quoted(value)}`,
    hint: (params: (Missing | Wrong) & { readonly known: readonly string[] }) => {
      const suggestion = params.value === null ? null : params.suggestion;
      if (suggestion !== null) return `did you mean \`${suggestion}\`?`;
      if (params.value === null && params.misspelled !== null)
        return `rename ${quoted(params.misspelled)} to \`status\``;
      return `set \`status\` to one of: ${params.known.join(", ")}`;
    },
  },
  "tech-spec-twice": {
    severity: "error",
    title: "Two tech specs have the same id",
    explanation:
      "Give one of them the next free number, in its front matter and its name. If both are the same document, a move was interrupted: delete the older one.",
    message: ({ id, files }: Spec & { readonly files: number }) => `${id} is the id of ${files} files`,
    hint: "change one `tech_spec_id`, or delete the older file",
    related: () => "used here too",
  },
  "tech-spec-place": {
    severity: "warning",
    title: "A tech spec is in the wrong place",
    explanation:
      "The folder of a tech spec shows its status (draft, approved, reference or archive), and its name begins with its id. The front matter decides; `plait spec status <id> --set <status>` with its status moves the file.",
    ...wordKinds({
      folder: [
        ({ id, statusWord, folder }: Strings<"id" | "statusWord" | "folder">) =>
          `${id} has the status ${statusWord}, but is in ${folder}`,
        ({ id, status }: Strings<"id" | "status">) =>
          fix("move the file", plait("spec status", id, { set: status })),
      ],
      name: [
        ({ id, named }: Strings<"id" | "named">) => `${id} is in a file named ${named}`,
        "rename the file, or correct `tech_spec_id`",
      ],
    }),
  },
  "tech-spec-draft": {
    severity: "warning",
    title: "The tech spec is still a draft",
    explanation:
      "Work made from a draft may have to be repeated when the draft changes. Approve the spec first.",
    message: ({ id }: Spec) => `${id} is a draft`,
    hint: ({ id }: Spec) => fix("approve it", plait("spec status", id, { set: "approved" })),
  },
  "tech-spec-unnamed": {
    severity: "note",
    title: "A document without a tech spec id",
    explanation:
      "`plait spec decompose` can split any document, also one without front matter, if you pass the id that its artifact folder gets.",
    message: "this document has no tech_spec_id, so its id comes from the command line",
    hint: "pass an id: -t TS-0042",
  },
  "prd-not-read": {
    severity: "warning",
    title: "Product requirements were not read",
    explanation:
      "related_prd in the front matter of a tech spec names its product requirements. They are read if they are a text file in this project; --prd reads any file.",
    example: "related_prd: docs/prd.md",
    ...wordKinds({
      outside: [
        ({ prd }: Strings<"prd">) => `the product requirements ${prd} are outside this project`,
        ({ prd }: Strings<"prd">) => `pass the file if the agent may read it: --prd ${prd}`,
      ],
      unreadable: [
        ({ prd, problem }: Strings<"prd" | "problem">) =>
          `the product requirements ${prd}: the file ${problem}`,
        "correct `related_prd`, or pass the file: --prd <file>",
      ],
    }),
  },
  "tech-spec-unfinished": {
    severity: "warning",
    title: "The tech spec has placeholders",
    explanation:
      "A new tech spec has REPLACE ME where text is missing. An agent would read it as a requirement, so `plait spec decompose` and `plait spec go` stop with an error. Write the text, or delete the section.",
    message: ({ placeholder, places, id }: Unfinished) =>
      `${id ?? "the tech spec"} has ${count(places, `${placeholder} placeholder`)}`,
    hint: ({ placeholder }: Unfinished) => `replace each \`${placeholder}\`, or delete its section`,
    related: () => "another placeholder",
  },
} as const satisfies Catalog;

export const buildTechSpecFinding: FindingBuilder<typeof techSpecCatalog> =
  createFindingBuilder(techSpecCatalog);
