// --report: where it goes is looked at before anything starts, and it is written whatever came of the run.

import { constants } from "node:fs";
import { access, lstat, open } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { folderProblem, makeFolders } from "../../../app/index.ts";
import { jsonDocument, markdownDocument, type Run } from "../../../report/parallel-orchestra/document.ts";

const EXTENSIONS = [".json", ".markdown", ".md"];

/** Why a report cannot be written there; null where it can. */
export async function reportProblem(path: string): Promise<string | null> {
  const end = extname(path).toLowerCase();
  if (!EXTENSIONS.includes(end)) {
    return `Unsupported report extension ${JSON.stringify(end)}. Use one of: ${EXTENSIONS.join(", ")}.`;
  }
  const found = await lstat(path).catch(() => null); // to be made
  if (found?.isSymbolicLink()) return "--report path is a symbolic link, which plait does not follow.";
  if (found !== null && !found.isFile()) return `--report ${path} is not a file.`;
  const why = found === null ? await folderProblem(dirname(path)) : await fileProblem(path);
  return why === null ? null : `--report ${path} cannot be written: ${why}.`;
}

async function fileProblem(path: string): Promise<string | null> {
  return access(path, constants.W_OK).then(
    () => null,
    () => "permission denied",
  );
}

/** Why it was not written; null when it was. */
export async function writeReportFile(path: string, run: Run): Promise<string | null> {
  const text = extname(path).toLowerCase() === ".json" ? jsonDocument(run) : markdownDocument(run);
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  try {
    await makeFolders(dirname(path));
    const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return `Report generation failed: ${path} cannot be written (${error.code}).`;
  }
}
