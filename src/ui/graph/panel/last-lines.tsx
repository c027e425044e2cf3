import type { RunId, TextHash } from "../../../core/ids.ts";
import { usePage } from "../../context.ts";
import { ansiLines, plainLine } from "../../parts/ansi.ts";
import { useLoaded } from "../../parts/use-loaded.ts";

const MOST_LINES = 8;
const MOST_CHARACTERS = 400;

/** The end of a gate's output. Nothing while it loads or where it was not saved: the line above has the summary. */
export function LastLines({ run, hash }: { readonly run: RunId; readonly hash: TextHash }) {
  const { source } = usePage();
  const loaded = useLoaded(hash, () => source.text(run, hash));
  const lines = loaded.kind === "loaded" ? lastLines(loaded.value.text) : [];
  return lines.length === 0 ? null : <pre class="graph-tail wrap small quiet">{lines.join("\n")}</pre>;
}

/** As plain text: a program may print anything, and a lot of it. */
function lastLines(text: string): string[] {
  return ansiLines(text.slice(-MOST_LINES * MOST_CHARACTERS * 4))
    .map((line) => plainLine(line).trimEnd().slice(0, MOST_CHARACTERS))
    .filter((line) => line !== "")
    .slice(-MOST_LINES);
}
