import type { Diagnostic } from "../../core/source.ts";
import { indexText } from "../../formats/text-index.ts";
import { buildContractFinding } from "./catalog.ts";
import type { ContractFile } from "./check.ts";

const FENCE = /^[ \t]*(?:`{3,}|~{3,}).*$/;

/** Whoever answers in Markdown puts a fence around a text; parsers find strange things in that, or nothing at all. */
export function fenceAround({ file, text }: ContractFile): Diagnostic | null {
  const start = text.search(/\S/);
  return start === -1 ? null : fenceAt({ file, text }, start);
}

export function fenceAt({ file, text }: Omit<ContractFile, "path">, offset: number): Diagnostic | null {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const [line = ""] = text.slice(start).split(/\r?\n/, 1);
  if (!FENCE.test(line)) return null;
  const at = indexText(file, text).lineRange(start, start + line.length);
  return buildContractFinding("contract-syntax", { kind: "fence" }, at);
}
