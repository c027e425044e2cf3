import type { AttemptId } from "../../core/ids.ts";
import { count } from "../../core/text/figures.ts";
import { loadedDiff, useDiff } from "./use-diff.ts";

/** ` 11 files, +642 −31.` */
export function EntrySize({ attempt }: { readonly attempt: AttemptId }) {
  const diff = loadedDiff(useDiff(attempt, ""));
  if (diff === null) return null;
  const sum = (of: "added" | "removed") => diff.stat.reduce((total, file) => total + (file[of] ?? 0), 0);
  return (
    <>
      {" "}
      {count(diff.stat.length, "file")}, +{sum("added").toLocaleString("en")} −
      {sum("removed").toLocaleString("en")}.
    </>
  );
}
