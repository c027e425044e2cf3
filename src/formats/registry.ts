import { type Diagnostic, diagnostic } from "../core/source.ts";
import { hasDispatch } from "./adm/detect.ts";
import type { FormatCode } from "./codes.ts";
import { isCpo } from "./cpo/detect.ts";
import type { PlanFormat, PlanInput } from "./format.ts";
import { misplacedFrontMatter } from "./front-matter.ts";
import { isNative } from "./native/detect.ts";
import { hasVersion, isManifest } from "./po/detect.ts";

/**
 * The formats that plait reads. A new one is an entry here: how to recognise it, and where its reader is. Readers load
 * parsers, so they are imported when a plan of their format is read and not before.
 */
export const formats: readonly PlanFormat[] = [
  {
    name: "native",
    title: "plait plan",
    sign: 'the key "plait: 1" at the top, in YAML, JSON or the front matter of Markdown',
    detect: (input) => (input.kind === "file" && isNative(input.path, input.text) ? "yes" : "no"),
    read: async (input, caps, { folder }) => {
      if (input.kind === "folder") return { draft: null, diagnostics: [unknownFormat(input)] };
      const { readNative } = await import("./native/read.ts");
      return readNative(input, caps, folder);
    },
  },
  {
    name: "po",
    title: "manifest of parallel-orchestra",
    sign: 'the key "po_plan_version" in the front matter of Markdown',
    detect: (input) => (input.kind === "file" && isManifest(input.text) ? "yes" : "no"),
    read: async (input, caps, around, { tolerant } = { tolerant: false }) => {
      if (input.kind === "folder") return { draft: null, diagnostics: [unknownFormat(input)] };
      const { readManifest } = await import("./po/read.ts");
      return readManifest({ file: input, caps, around, tolerant });
    },
  },
  {
    name: "cpo",
    title: "parallel artefact folder",
    sign: "a folder with a manifest.json, or that file with its waves of tasks",
    detect: (input) => (isCpo(input) ? "yes" : "no"),
    read: async (input, caps, around) => {
      const { readCpo } = await import("./cpo/read.ts");
      return readCpo(input, caps, around);
    },
  },
  {
    name: "adm",
    title: "dispatch manifest",
    sign: "a ```json dispatch block, in Markdown",
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
  return {
    format: null,
    diagnostic: isBlank(input) ? emptyPlan(input) : unknownFormat(input),
  };
}

function twoFormats(input: PlanInput, found: readonly PlanFormat[]): Diagnostic {
  return about(input, {
    code: "two-formats",
    message: `this file is a plan in more than one way: ${found.map(({ title }) => title).join(" and ")}`,
    hint: `say which one is meant: ${found.map(({ name }) => `--format ${name}`).join(" or ")}`,
  });
}

function isBlank(input: PlanInput): boolean {
  return input.kind === "file" && !/^[^\S\n]*[^\s#]/m.test(input.text);
}

function emptyPlan(input: PlanInput): Diagnostic {
  const hint = 'a plan starts with "plait: 1", then "tasks:" and a list of tasks';
  return about(input, { code: "plan-empty", message: "there is nothing in this file", hint });
}

function unknownFormat(input: PlanInput): Diagnostic {
  if (input.kind === "folder") return folderIsNoPlan(input);
  const misplaced = misplacedFrontMatter(input.path, input.text);
  const below = misplaced === null ? null : input.text.slice(misplaced);
  if (misplaced !== null && below !== null && (/^plait\s*:/m.test(below) || hasVersion(below))) {
    const line = input.text.slice(0, misplaced).split("\n").length;
    const message = "front matter must be at the very top of the file";
    return about(input, { code: "front-matter", message, hint: 'delete what stands above this "---"', line });
  }
  if (hasVersion(input.text)) {
    const message = 'a manifest of parallel-orchestra begins with front matter: its first line is "---"';
    return about(input, { code: "front-matter", message, hint: 'put the YAML between two lines "---"' });
  }
  const signs = formats.map(({ title, sign }) => `${sign} (${title})`).join("; ");
  return about(input, {
    code: "unknown-format",
    message: `this file is not a plan; looked for ${signs}`,
    hint: `if it is a plait plan, ${adviceFor(input)}`,
  });
}

/** How a file of this kind says that it is a plan. */
function adviceFor({ path, text }: Extract<PlanInput, { kind: "file" }>): string {
  if (/^\s*\[/.test(text)) return 'make it a map: { "plait": 1, "tasks": [ … ] }';
  if (/\.json$/i.test(path) || /^\s*\{/.test(text)) return 'write "plait": 1 as its first key';
  if (/\.(md|markdown)$/i.test(path))
    return 'put it at the very top of the file, between two lines "---", and begin it with "plait: 1"';
  if (/^plait\s*:/im.test(text)) return 'write "plait: 1" in small letters at the left edge';
  return 'write "plait: 1" as its first line';
}

function folderIsNoPlan(folder: Extract<PlanInput, { kind: "folder" }>): Diagnostic {
  const plan = folder.names.find((name) => /^plan\.(ya?ml|json|md)$/.test(name));
  const path = folder.path.replace(/\/+$/, "");
  if (
    plan === undefined &&
    folder.names.some((name) => /^(?:tasks|prompts|contracts|context\.md)$/.test(name))
  )
    return about(folder, {
      code: "manifest-missing",
      message: "this artefact folder has no manifest.json, which names its tasks and their waves",
      hint: "write one; plait spec init makes a folder that shows how it looks",
    });
  return about(folder, {
    code: "not-a-file",
    message: "this folder is not a plan; looked for a manifest.json in it (parallel artefact folder)",
    hint: plan ? `there is a ${plan} in it; name that: ${path}/${plan}` : "name the plan file itself",
  });
}

function about(
  input: PlanInput,
  { line = 1, ...words }: { code: FormatCode; message: string; hint: string | null; line?: number },
): Diagnostic {
  const start = { line, col: 1 };
  return diagnostic({ ...words, at: { file: input.path, start, end: start } });
}
