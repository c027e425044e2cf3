import { lineFinder } from "../../../util/lines.ts";
import type { CodePlace } from "../finding.ts";
import type { SourceProject } from "../project.ts";

/** The types that Prisma's client will have, by the schemas of a project: models and enums, with their places. */
export async function generatedTypes({ paths, read }: SourceProject): Promise<Map<string, CodePlace>> {
  const found = new Map<string, CodePlace>();
  for (const file of paths.filter((path) => path.endsWith(".prisma"))) {
    const text = (await read(file)) ?? "";
    const lineAt = lineFinder(text);
    for (const { 1: name = "", index } of text.matchAll(/^\s*(?:model|enum|type|view)\s+(\w+)\s*\{/gm))
      found.set(name, { file, line: lineAt(index + 1) });
  }
  return found;
}
