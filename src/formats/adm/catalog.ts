import type { Catalog } from "../../core/catalog.ts";
import { quoted } from "../../core/text/figures.ts";
import { type Strings, wordKinds } from "../catalog-kinds.ts";

export const admCatalog = {
  "no-dispatch": {
    severity: "error",
    title: "No dispatch block in the file",
    explanation:
      "A dispatch manifest is a code block in Markdown that starts with ```json dispatch. A block inside another block, in a comment or indented by four spaces does not count.",
    example: '```json dispatch\n{ "batches": [ … ] }\n```',
    message: "this file has no ```json dispatch block",
    hint: 'add one: ```json dispatch { "plan_id": …, "batches": [ … ] } ```',
  },
  "open-fence": {
    severity: "error",
    title: "A dispatch block is not closed",
    explanation:
      "The block would extend to the end of the file, list or quotation. Close it with the same number of backticks as it opens with.",
    message: "this dispatch block is not closed",
    hint: ({ fence }: { readonly fence: string }) => `add a closing line: ${fence}`,
  },
  "markdown-too-long": {
    severity: "error",
    title: "Too much Markdown around the dispatch block",
    explanation:
      "The limit protects against files made to exhaust memory: some ten thousand lines, fewer in lists or quotations.",
    message: "the Markdown is too large to search for a dispatch block",
    hint: "move the block to its own file: `plan.md`",
  },
  "batch-custom": {
    severity: "warning",
    title: "Unusual batch",
    explanation:
      "By convention batch ids increase, a batch has agents, and at most four agents run in parallel. plait does not depend on it.",
    ...wordKinds({
      order: [
        ({ batch, above }: Strings<"batch" | "above">) =>
          `batch ${quoted(batch)} comes after batch ${quoted(above)}, which has a higher id`,
        "set the order with `depends_on`",
      ],
      empty: [
        ({ batch }: Strings<"batch">) => `batch ${quoted(batch)} has no agents`,
        "add `agents`, or delete the batch",
      ],
      many: [
        ({ batch, agents, most }: Strings<"batch"> & { readonly [K in "agents" | "most"]: number }) =>
          `batch ${quoted(batch)} runs ${agents} agents in parallel; at most ${most} is recommended`,
        "limit how many run in parallel: -j 4",
      ],
    }),
  },
  "owns-outside": {
    severity: "warning",
    title: "An owned file is outside the repository",
    explanation:
      "plait checks changes in the repository only, so the path is ignored. Absolute paths count if they are in the repository.",
    message: ({ path }: { readonly path: string }) => `${quoted(path)} is outside the repository`,
    hint: "list in `owns_files` only files in the repository",
  },
} as const satisfies Catalog;
