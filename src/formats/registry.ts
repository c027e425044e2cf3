import { startOf } from "../core/analyze/findings.ts";
import type { Diagnostic } from "../core/source.ts";
import { hasDispatch } from "./adm/detect.ts";
import { buildFormatFinding } from "./catalog.ts";
import { isCpo } from "./cpo/detect.ts";
import type { PlanFormat, PlanInput } from "./format.ts";
import { misplacedFrontMatter } from "./front-matter.ts";
import { isNative } from "./native/detect.ts";
import { hasVersion, isManifest } from "./po/detect.ts";
import { lineIn } from "./text-index.ts";

/**
 * The formats that plait reads. A new one is an entry here: how to recognise it, and where its reader is. Readers load
 * parsers, so they are imported when a plan of their format is read and not before.
 */
export const formats: readonly PlanFormat[] = [
  {
    name: "native",
    title: "plait plan",
    detect: (input) => (input.kind === "file" && isNative(input.path, input.text) ? "yes" : "no"),
    read: async (input, caps, { folder }) => {
      if (input.kind === "folder") return { draft: null, diagnostics: [unknownFormat(input)] };
      const { readNative } = await import("./native/read.ts");
      return readNative(input, caps, folder);
    },
  },
  {
    name: "po",
    title: "parallel-orchestra manifest",
    detect: (input) => (input.kind === "file" && isManifest(input.text) ? "yes" : "no"),
    read: async (input, caps, around, { tolerant } = { tolerant: false }) => {
      if (input.kind === "folder") return { draft: null, diagnostics: [unknownFormat(input)] };
      const { readManifest } = await import("./po/read.ts");
      return readManifest({ file: input, caps, around, tolerant });
    },
  },
  {
    name: "cpo",
    title: "artifact folder",
    detect: (input) => (isCpo(input) ? "yes" : "no"),
    read: async (input, caps, around) => {
      const { readCpo } = await import("./cpo/read.ts");
      return readCpo(input, caps, around);
    },
  },
  {
    name: "adm",
    title: "dispatch manifest",
    detect: (input) => (input.kind === "file" && hasDispatch(input.path, input.text) ? "yes" : "no"),
    read: async (input, caps, around) => {
      if (input.kind === "folder") return { draft: null, diagnostics: [unknownFormat(input)] };
      const { readAdm } = await import("./adm/read.ts");
      return readAdm(input, caps, around);
    },
  },
];

export type Detected =
  | { readonly format: PlanFormat; readonly diagnostic: null }
  | { readonly format: null; readonly diagnostic: Diagnostic };

/** The format of an input by its content, or what was looked for and not found. */
export function detectFormat(input: PlanInput): Detected {
  const [format, ...others] = formats.filter((one) => one.detect(input) === "yes");
  if (format && others.length > 0)
    return { format: null, diagnostic: twoFormats(input, [format, ...others]) };
  if (format) return { format, diagnostic: null };
  const isBlank = input.kind === "file" && hasNoContent(input);
  const empty = buildFormatFinding("plan-empty", { noun: "file", start: "plait: 1" }, startOf(input.path));
  return { format: null, diagnostic: isBlank ? empty : unknownFormat(input) };
}

/** `#` begins a comment in YAML and a heading in Markdown. */
const hasNoContent = ({ path, text }: Extract<PlanInput, { kind: "file" }>): boolean =>
  isMarkdown(path) ? text.trim() === "" : !/^[^\S\n]*[^\s#]/m.test(text);

const isMarkdown = (path: string): boolean => /\.(md|markdown)$/i.test(path);

function twoFormats(input: PlanInput, found: readonly PlanFormat[]): Diagnostic {
  const [titles, names] = [found.map(({ title }) => title), found.map(({ name }) => name)];
  return buildFormatFinding("two-formats", { titles, names }, startOf(input.path));
}

function unknownFormat(input: PlanInput): Diagnostic {
  if (input.kind === "folder") return folderIsNoPlan(input);
  const misplaced = misplacedFrontMatter(input.path, input.text);
  const below = misplaced === null ? null : input.text.slice(misplaced);
  if (misplaced !== null && below !== null && (/^plait\s*:/m.test(below) || hasVersion(below))) {
    const at = lineIn(input.path, input.text.slice(0, misplaced).split("\n").length);
    return buildFormatFinding("front-matter", { problem: "misplaced", noun: "plan" }, at);
  }
  const at = startOf(input.path);
  if (hasVersion(input.text))
    return buildFormatFinding("front-matter", { problem: "missing", noun: "manifest" }, at);
  return buildFormatFinding("unknown-format", { advice: adviceFor(input) }, at);
}

/** How to mark a file of this kind as a plan. */
function adviceFor({ path, text }: Extract<PlanInput, { kind: "file" }>): string {
  if (/^\s*\[/.test(text)) return 'make it a map: `{ "plait": 1, "tasks": [ … ] }`';
  if (/\.json$/i.test(path) || /^\s*\{/.test(text)) return 'add the first key: `"plait": 1`';
  if (isMarkdown(path)) return "start with front matter: `---`, then `plait: 1`";
  if (/^plait\s*:/im.test(text)) return "write it in lower case, without indentation: `plait: 1`";
  return "add the first line: `plait: 1`";
}

function folderIsNoPlan(folder: Extract<PlanInput, { kind: "folder" }>): Diagnostic {
  const at = startOf(folder.path);
  const plan = folder.names.find((name) => /^plan\.(ya?ml|json|md)$/.test(name));
  const isArtifacts = folder.names.some((name) => /^(?:tasks|prompts|contracts|context\.md)$/.test(name));
  if (plan === undefined && isArtifacts) return buildFormatFinding("manifest-missing", { problem: null }, at);
  const path = folder.path.replace(/\/+$/, "");
  return buildFormatFinding("not-a-file", { plan: plan ? `${path}/${plan}` : null }, at);
}
