import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { GRAPH } from "../task-graph-text.ts";
import type { FolderCode } from "./codes.ts";

const CONTEXT = "context.md";

/** Files that a whole folder has. A missing prompt or task file is told where it is asked for. */
export async function checkWhole(manifest: string, around: PlanFiles): Promise<Diagnostic[]> {
  const names = await around.names(".");
  const missing = [CONTEXT, "architecture.md", GRAPH].filter((name) => !names.includes(name));
  const hasContracts = (await around.names("contracts")).length > 0;
  const all = [...missing, ...(hasContracts ? [] : ["contracts"])].map(quoted);
  const lacking =
    all.length === 0
      ? []
      : [
          incomplete(
            manifest,
            `the folder has no ${all.join(", no ")}`,
            "write what is missing; plait spec init makes a whole folder to look at",
          ),
        ];
  const context = missing.includes(CONTEXT) ? null : await around.read(CONTEXT);
  if (!context?.ok || context.text.trim() !== "") return lacking; // one that cannot be read is told of
  const message = `${quoted(CONTEXT)} is empty, so agents are told nothing that all of them need`;
  return [...lacking, incomplete(context.file, message, "say what is built, why, and how it is tested")];
}

function incomplete(file: string, message: string, hint: string): Diagnostic {
  const start = { line: 1, col: 1 };
  const code: FolderCode = "folder-incomplete";
  return diagnostic({ code, severity: "warning", message, at: { file, start, end: start }, hint });
}
