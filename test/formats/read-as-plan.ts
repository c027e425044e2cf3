import { dirname, join, normalize } from "node:path";
import type { Caps } from "../../src/core/caps.ts";
import type { Diagnostic } from "../../src/core/source.ts";
import type { FormatResult, PlanFiles, PlanInput } from "../../src/formats/format.ts";
import { detectFormat } from "../../src/formats/registry.ts";
import { caps as usual } from "./caps.ts";

/** What happens to a plan file between the disk and the analysis. */
export async function readAsPlan(path: string, text: string, caps: Caps = usual): Promise<FormatResult> {
  return readInputAs({ kind: "file", path, text }, {}, caps);
}

/** A folder is known by the names of its files, which are given with their texts. */
export async function readFolderAsPlan(path: string, files: Texts): Promise<FormatResult> {
  const names = [...new Set(Object.keys(files).map((name) => name.replace(/\/.*$/, "")))].sort();
  return readInputAs({ kind: "folder", path, names }, files, usual);
}

async function readInputAs(input: PlanInput, files: Texts, caps: Caps): Promise<FormatResult> {
  const { format, diagnostic } = detectFormat(input);
  return format
    ? format.read(input, caps, filesOf(input, files))
    : { draft: null, diagnostics: [diagnostic] };
}

/** By path from the folder of the plan. */
type Texts = { readonly [path: string]: string };

/** Files that are nowhere but here, around a plan in `/work`. */
export function filesOf(input: PlanInput, texts: Texts = {}): PlanFiles {
  const named = input.kind === "folder" ? input.path : dirname(input.path);
  const folder = join("/work", named);
  return {
    folder,
    named,
    cwd: "/work",
    home: "/home/user",
    read: async (path) => {
      const file = join(named, path);
      const text = texts[normalize(path)];
      if (text === undefined) return { ok: false, file, isMissing: true, problem: "does not exist" };
      return { ok: true, file, text };
    },
    names: async (path) => {
      const start = normalize(`${path}/`).replace(/^\.\//, "");
      const below = Object.keys(texts).filter((name) => name.startsWith(start));
      const names = new Set(below.map((name) => name.slice(start.length).replace(/\/.*$/, "")));
      names.delete(".."); // that is above
      return [...names].sort();
    },
    lookAt: async (path) => {
      const isFolder = isFolderOf(join(folder, path), folder, texts);
      const isThere = isFolder || texts[normalize(path)] !== undefined;
      return isThere ? { isFolder, isLink: false, isOutside: false } : null;
    },
    isFolder: async (path) => isFolderOf(path, folder, texts),
    repositoryAt: async () => "/work",
  };
}

/** Above the plan, or above a file that is around it. */
function isFolderOf(path: string, folder: string, texts: Texts): boolean {
  const files = [join(folder, "plan"), ...Object.keys(texts).map((name) => join(folder, name))];
  return files.some((file) => file.startsWith(join(path, "/")));
}

/** One finding as a few lines that a person can check. */
export function show({ code, severity, message, at, hint, related }: Diagnostic): string {
  const place = at ? `${at.start.line}:${at.start.col}-${at.end.line}:${at.end.col} ` : "";
  const others = related.map((one) => `  see ${one.at.start.line}:${one.at.start.col} ${one.message}`);
  return [
    `${place}${severity} ${code}: ${message}`,
    ...(hint === null ? [] : [`  hint ${hint}`]),
    ...others,
  ].join("\n");
}
