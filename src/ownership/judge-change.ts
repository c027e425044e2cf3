import { type ChangeFinding, changeJudge } from "../core/ownership/change.ts";
import { ownerSearch } from "../core/ownership/owner.ts";
import type { ChangedFile, Ownership, OwnershipFinding } from "./finding.ts";
import { isGenerated, markedGenerated } from "./generated.ts";

/**
 * All that a task should not have changed, and of which it cannot be told, in the order of the files. Paths are judged by the claims;
 * where only parts of a file are owned, both of its texts are read, and the parts that differ are judged. The parser is loaded by
 * the first such file: most plans have none.
 */
export async function judgeChange(
  files: readonly ChangedFile[],
  { owns, boundary, others, attributes }: Ownership,
): Promise<OwnershipFinding[]> {
  const judge = changeJudge(owns, boundary);
  const isMarked = markedGenerated(attributes ?? "");
  const ownerOf = ownerSearch(others);
  const findings: OwnershipFinding[] = [];
  for (const file of files) {
    const verdict = judge(file.path);
    if (verdict.kind !== "covered") {
      const owner = ownerOf(file.path, null);
      findings.push({
        ...pathFinding(verdict),
        owner,
        detail: await detailOf(verdict, file, isMarked(file.path)),
      });
    } else if (verdict.symbols !== null) {
      const { judgeSymbols } = await import("./judge-symbols.ts");
      const found = await judgeSymbols(file, {
        symbols: verdict.symbols,
        ownerOf,
        isMarked: isMarked(file.path),
      });
      findings.push(...(verdict.unsure === null ? found : unsureAll(found, verdict.unsure)));
    }
  }
  return findings;
}

function pathFinding({ kind, path }: ChangeFinding): Omit<OwnershipFinding, "owner" | "detail"> {
  return { kind, path, symbol: null, line: null };
}

async function detailOf(verdict: ChangeFinding, file: ChangedFile, isMarked: boolean): Promise<string> {
  if (verdict.kind === "unsure") return unsureText(verdict.pattern);
  const detail =
    verdict.kind === "boundary" ? `inside the boundary ${verdict.pattern}` : "not among what the task owns";
  const isMade = isMarked || (file.change !== "added" && isGenerated((await file.before()) ?? ""));
  return isMade ? `${detail}; it is a generated file` : detail;
}

function unsureText(pattern: string): string {
  return `it cannot be told whether ${pattern} covers it`;
}

/** Another claim may cover all of it: then nothing that was found is certain. */
function unsureAll(found: readonly OwnershipFinding[], pattern: string): OwnershipFinding[] {
  const [first] = found;
  if (first === undefined) return [];
  return [
    { kind: "unsure", path: first.path, symbol: null, line: null, owner: null, detail: unsureText(pattern) },
  ];
}
