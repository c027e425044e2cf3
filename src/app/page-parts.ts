import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageParts } from "../report/page/html.ts";
import { type OrRefusal, refuse } from "./host.ts";

const PAGE = "dist/ui";

/** The built page. It lies at one place of the package, wherever this code was bundled to. */
export async function pageParts(): Promise<OrRefusal<{ parts: PageParts }>> {
  const folder = folderOfPage(dirname(fileURLToPath(import.meta.url)));
  if (folder === null)
    return refuse("environment", "the web UI is missing from this installation", "install plait again");
  const [script, style] = await Promise.all(
    ["file.js", "page.css"].map((name) => readFile(join(folder, name), "utf8")),
  );
  return { ok: true, parts: { script: script ?? "", style: style ?? "" } };
}

function folderOfPage(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, PAGE);
    if (existsSync(join(found, "file.js"))) return found;
    if (folder === dirname(folder)) return null;
  }
}
