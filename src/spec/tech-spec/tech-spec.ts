import { quoted } from "../../core/analyze/words.ts";
import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic, type Located, type SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { FormatCode } from "../../formats/codes.ts";
import { indexText, type TextIndex } from "../../formats/text-index.ts";
import { rangeAt, type Tree } from "../../formats/yaml/tree.ts";
import type { TechSpecCode } from "./codes.ts";
import { readFrontMatter } from "./front-matter.ts";
import { parseStatus, type SpecStatus, specStatuses, statusWord } from "./lifecycle.ts";
import { isTechSpecId, numberAsked, techSpecId } from "./names.ts";

/** A document that says how something is to be built: front matter, and Markdown for people and agents. */
export type TechSpec = {
  /** `TS-0042`. */
  readonly id: string;
  readonly title: string;
  readonly status: SpecStatus;
  /** The decision that it follows, such as `RFC-0007`. */
  readonly decisionRef: string | null;
  readonly author: string | null;
  /** Dates as they are written, `2026-01-15`. */
  readonly created: string | null;
  readonly lastUpdated: string | null;
  /** A path from the root of the repository, or an address. */
  readonly relatedPrd: string | null;
  /** The sentence that it was drafted from. */
  readonly source: string | null;
  /** Everything below the front matter. */
  readonly body: string;
  /** Where the id stands, and the status. */
  readonly at: SourceRange;
  readonly statusAt: SourceRange;
};

export type ReadTechSpec = {
  /** Null when there is any error. */
  readonly spec: TechSpec | null;
  /** What a file says that cannot be used: enough to find and to list it. */
  readonly said: { readonly id: Located<string> | null; readonly title: string | null };
  readonly diagnostics: readonly Diagnostic[];
};

/** Keys that plait does not know are the business of whoever wrote them. */
export function readTechSpec(
  { file, text }: { readonly file: string; readonly text: string },
  caps: Caps,
): ReadTechSpec {
  const index = indexText(file, text);
  const { tree, at, bodyStart, diagnostics: found } = readFrontMatter(index, caps);
  const body = text.slice(bodyStart);
  const heading = headingOf(body);
  if (tree === null) return { spec: null, said: { id: null, title: heading }, diagnostics: found };

  const diagnostics = [...found];
  const field = fieldReader(index, tree, diagnostics);
  const lacking = { at, keys: [...tree.entries.keys()] };
  const id = checkId(field("tech_spec_id"), lacking, diagnostics);
  const title = field("title")?.value ?? heading;
  if (title === null) diagnostics.push(noTitle(at));
  const status = checkStatus(field("status"), lacking, diagnostics);
  const rest = {
    decisionRef: field("decision_ref")?.value ?? null,
    author: field("author")?.value ?? null,
    created: field("created")?.value ?? null,
    lastUpdated: field("last_updated")?.value ?? null,
    relatedPrd: field("related_prd")?.value ?? null,
    source: field("source")?.value ?? null,
  };
  const isBroken = diagnostics.some(({ severity }) => severity === "error");
  const spec =
    isBroken || id === null || status === null
      ? null
      : {
          ...{ id: id.value, title: title ?? id.value, status: status.value, ...rest },
          ...{ body, at: id.at, statusAt: status.at },
        };
  return { spec, said: { id, title }, diagnostics };
}

/** To be told by whatever is made from a spec; null where it is no draft. */
export function draftWarning({ id, status, statusAt }: TechSpec): Diagnostic | null {
  if (status !== "draft") return null;
  return diagnostic({
    code: "tech-spec-draft" satisfies TechSpecCode,
    severity: "warning",
    message: `${id} is a draft`,
    at: statusAt,
    hint: `when it is agreed on: plait spec status ${id} --set approved`,
  });
}

type Field = Located<string> | null;

/** Texts, and what YAML takes for a number or a word of its own: they are all texts here. */
function fieldReader(
  index: TextIndex,
  tree: Extract<Tree, { kind: "map" }>,
  diagnostics: Diagnostic[],
): (key: string) => Field {
  return (key) => {
    const node = tree.entries.get(key)?.value;
    if (node === undefined) return null;
    const at = rangeAt(index, tree, [key]);
    if (node.kind !== "scalar") {
      const code = "wrong-type" satisfies FormatCode;
      const message = `${key} must be a text, not a ${node.kind}`;
      diagnostics.push(diagnostic({ code, message, at, hint: `write it on one line: ${key}: …` }));
      return null;
    }
    const text = (
      typeof node.value === "string" ? node.value : node.value === null ? "" : node.source
    ).trim();
    return text === "" ? null : { value: text, at };
  };
}

type Lacking = { readonly at: SourceRange; readonly keys: readonly string[] };

function checkId(id: Field, lacking: Lacking, diagnostics: Diagnostic[]): Field {
  const code = "tech-spec-id" satisfies TechSpecCode;
  if (id === null) {
    const message = "the tech spec has no tech_spec_id";
    const hint = misspelt("tech_spec_id", lacking) ?? "add tech_spec_id: TS- and its number, such as TS-0042";
    diagnostics.push(diagnostic({ code, message, at: lacking.at, hint }));
    return null;
  }
  if (isTechSpecId(id.value)) return id;
  const number = numberAsked(id.value);
  const message = `tech_spec_id must be of the form TS-0042, not ${quoted(id.value)}`;
  const hint = number === null ? "TS- and at least four digits" : `write ${techSpecId(number)}`;
  diagnostics.push(diagnostic({ code, message, at: id.at, hint }));
  return id;
}

function checkStatus(status: Field, lacking: Lacking, diagnostics: Diagnostic[]): Located<SpecStatus> | null {
  const code = "tech-spec-status" satisfies TechSpecCode;
  const words = specStatuses.map(statusWord);
  if (status === null) {
    const hint = misspelt("status", lacking) ?? `add status: with one of ${words.join(", ")}`;
    diagnostics.push(diagnostic({ code, message: "the tech spec has no status", at: lacking.at, hint }));
    return null;
  }
  const known = parseStatus(status.value);
  if (known !== null) return { value: known, at: status.at };
  const near = nearest(status.value, words);
  const message = `status must be one of ${words.join(", ")}, not ${quoted(status.value)}`;
  diagnostics.push(diagnostic({ code, message, at: status.at, hint: near && `did you mean ${near}?` }));
  return null;
}

function misspelt(key: string, { keys }: Lacking): string | null {
  const near = keys.find((written) => nearest(written, [key]) !== null);
  return near === undefined ? null : `it has ${quoted(near)}: did you mean ${key}?`;
}

function noTitle(at: SourceRange): Diagnostic {
  return diagnostic({
    code: "missing-key" satisfies FormatCode,
    severity: "warning",
    message: "the tech spec has no title",
    at,
    hint: "add title: and a few words",
  });
}

/** Of the first heading, without the id in front. */
function headingOf(body: string): string | null {
  const [, heading = ""] = /^#[ \t](.*)$/m.exec(body) ?? [];
  const words = heading.trim().replace(/^TS-\d+\s*[:–—-]?\s*/, "");
  return words === "" ? null : words;
}
