import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../engines/local/run-folder.ts";
import { type OtlpDocument, type OtlpSpan, onlySpans } from "../report/trace/otlp.ts";

/**
 * A collector keeps every span that it gets: what it has already would be there twice after a resumed run. What changed since, as
 * the run itself, is told again, since nothing else can say that it went on.
 */
export async function unsent(
  folder: string,
  endpoint: string,
  document: OtlpDocument,
): Promise<{ readonly fresh: OtlpDocument; readonly keep: () => Promise<void> }> {
  const path = join(folder, "trace-sent");
  const digestOf = (span: OtlpSpan): string => digest(`${endpoint}\n${JSON.stringify(span)}`);
  const before = new Set((await readFile(path, "utf8").catch(() => "")).split("\n")); // none is there at first
  const fresh = onlySpans(document, (span) => !before.has(digestOf(span)));
  const spans = document.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  return { fresh, keep: () => writeWhole(path, `${spans.map(digestOf).join("\n")}\n`) };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24);
