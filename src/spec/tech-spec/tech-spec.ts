import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import { openedFrontMatter } from "../../formats/front-matter.ts";
import { indexText, type TextIndex } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { rangeAt, type Tree } from "../../formats/yaml/tree.ts";
import { buildTechSpecFinding } from "./catalog.ts";
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
  readonly body: string;
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
  const index = indexText(file, text, "front matter");
  const { tree, at, bodyStart, diagnostics: found } = readFrontMatter(index, caps);
  const body = text.slice(bodyStart);
  const heading = headingOf(body);
  if (tree === null) return { spec: null, said: { id: null, title: heading }, diagnostics: found };

  const diagnostics = [...found];
  const field = fieldReader(index, tree, diagnostics);
  const lacking = { at, keys: [...tree.entries.keys()] };
  const id = checkId(field("tech_spec_id"), lacking, diagnostics);
  const title = field("title")?.value ?? heading;
  if (title === null) {
    const missing = { key: "title", place: "the front matter", line: "title: …" };
    diagnostics.push(buildFormatFinding("missing-key", missing, at, { severity: "warning" }));
  }
  const status = checkStatus(field("status"), lacking, diagnostics);
  const value = (key: string) => field(key)?.value ?? null;
  const rest = {
    ...{ decisionRef: value("decision_ref"), author: value("author"), created: value("created") },
    ...{ lastUpdated: value("last_updated"), relatedPrd: value("related_prd"), source: value("source") },
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

/** For whatever is made from a spec; null if it is not a draft. */
export function draftWarning({ id, status, statusAt }: TechSpec): Diagnostic | null {
  return status === "draft" ? buildTechSpecFinding("tech-spec-draft", { id }, statusAt) : null;
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
      const fix = { kind: "write", text: `${key}: …` } as const;
      const params = { label: key, expected: "a string", found: `a ${node.kind}`, fix };
      diagnostics.push(buildFormatFinding("wrong-type", params, at));
      return null;
    }
    const text = node.value === null ? "" : typeof node.value === "string" ? node.value : node.source;
    return text.trim() === "" ? null : { value: text.trim(), at };
  };
}

type Lacking = { readonly at: SourceRange; readonly keys: readonly string[] };

function checkId(id: Field, lacking: Lacking, diagnostics: Diagnostic[]): Field {
  if (id === null) {
    const missing = { value: null, misspelled: findMisspelled("tech_spec_id", lacking) };
    diagnostics.push(buildTechSpecFinding("tech-spec-id", missing, lacking.at));
    return null;
  }
  if (isTechSpecId(id.value)) return id;
  const number = numberAsked(id.value);
  const suggestion = number === null ? null : techSpecId(number);
  diagnostics.push(buildTechSpecFinding("tech-spec-id", { value: id.value, suggestion }, id.at));
  return id;
}

function checkStatus(status: Field, lacking: Lacking, diagnostics: Diagnostic[]): Located<SpecStatus> | null {
  const known = specStatuses.map(statusWord);
  if (status === null) {
    const missing = { value: null, misspelled: findMisspelled("status", lacking), known };
    diagnostics.push(buildTechSpecFinding("tech-spec-status", missing, lacking.at));
    return null;
  }
  const { value, at } = status;
  const parsed = parseStatus(value);
  if (parsed !== null) return { value: parsed, at };
  const suggestion = nearest(value, known);
  diagnostics.push(buildTechSpecFinding("tech-spec-status", { value, suggestion, known }, at));
  return null;
}

function findMisspelled(key: string, { keys }: Lacking): string | null {
  return keys.find((written) => nearest(written, [key]) !== null) ?? null;
}

/** Of the first heading, without the id in front. */
function headingOf(body: string): string | null {
  const [, heading = ""] = /^#[ \t](.*)$/m.exec(body) ?? [];
  const words = heading.trim().replace(/^TS-\d+\s*[:–—-]?\s*/, "");
  return words === "" ? null : words;
}

type Map = Extract<Tree, { kind: "map" }>;

/** The front matter of a tech spec with the places of what it says, or why there is none. */
type FrontMatter = {
  /** Null where nothing can be read from it. */
  readonly tree: Map | null;
  readonly at: SourceRange;
  readonly bodyStart: number;
  readonly diagnostics: readonly Diagnostic[];
};

export function readFrontMatter(index: TextIndex, caps: Caps): FrontMatter {
  const { text } = index;
  const part = openedFrontMatter(text);
  const at = index.lineRange(0, text.length);
  if (part === null) return { tree: null, at, bodyStart: 0, diagnostics: [notThere("missing", at)] };
  const bodyStart = endOfLine(text, part.end);
  if (!part.isClosed) return { tree: null, at, bodyStart, diagnostics: [notThere("open", at)] };
  const { tree, diagnostics } = parseYaml(index, { part, caps });
  if (tree?.kind === "map") return { tree, at, bodyStart, diagnostics };
  const found = diagnostics.length > 0 ? diagnostics : [notThere("missing", at)];
  return { tree: null, at, bodyStart, diagnostics: found };
}

function notThere(problem: "missing" | "open", at: SourceRange): Diagnostic {
  return buildFormatFinding("front-matter", { problem, noun: "tech spec" }, at);
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed === -1 ? text.length : feed + 1;
}
