import { useState } from "preact/hooks";
import { type AttemptId, splitAttemptId, type TaskId } from "../../core/ids.ts";
import type { Pair } from "../../core/select/clash-map.ts";
import type { Clash } from "../../core/select/clashes.ts";
import { useMoment } from "../context.ts";
import { formatRoute } from "../route.ts";
import { SourceError } from "../source/source.ts";
import { type DiffLine, fileSide } from "./file-sides.ts";
import { type KnownDiff, useDiff } from "./use-diff.ts";

/** Both sides of a pair, file by file. */
export function PairView({ pair, clash }: { readonly pair: Pair; readonly clash: Clash | undefined }) {
  const [a, b] = [useSide(pair.a, clash), useSide(pair.b, clash)];
  const paths = pair.kind === "clash" ? pair.paths : commonPaths(a.diff, b.diff);
  const [chosen, choose] = useState<string | null>(null);
  const path = paths.find((one) => one === chosen) ?? paths[0] ?? null;
  return (
    <section class="queue-card clash-pair" aria-label={`${pair.a} and ${pair.b}`}>
      <header class="queue-head">
        <h2 class="mono">
          {pair.a} <span>×</span> {pair.b}
        </h2>
        <PathChoice {...{ paths, path }} onChoose={choose} />
      </header>
      {path === null ? (
        <p class="queue-none">
          {pair.paths.length > 0 && (
            <>
              Both may change <span class="mono">{pair.paths.join(", ")}</span>.{" "}
            </>
          )}
          {restText(a, b)}
        </p>
      ) : (
        <div class="clash-sides">
          <SideView side={a} path={path} />
          <SideView side={b} path={path} />
        </div>
      )}
    </section>
  );
}

type Side = { readonly task: TaskId; readonly attempt: AttemptId | null; readonly diff: KnownDiff };

/** Of a clash the attempt that clashed, else the one that its row is about. */
function useSide(task: TaskId, clash: Clash | undefined): Side {
  const row = useMoment().rows.find((one) => one.task === task);
  const attempt = clash?.task === task ? clash.attempt : (row?.attempt ?? null);
  return { task, attempt, diff: useDiff(attempt, row?.shown ?? "") };
}

/** Where both have saved something: the files that both changed. */
function commonPaths(a: KnownDiff, b: KnownDiff): readonly string[] {
  if (a?.kind !== "diff" || b?.kind !== "diff") return [];
  const changed = new Set(b.stat.map(({ path }) => path));
  return a.stat.map(({ path }) => path).filter((path) => changed.has(path));
}

function restText(a: Side, b: Side): string {
  if (a.diff === null || b.diff === null) return "";
  if (a.diff.kind === "diff" && b.diff.kind === "diff") return "So far no file was changed by both.";
  return [a, b].flatMap((side) => (side.diff?.kind === "diff" ? [] : [absent(side)])).join(" ");
}

function absent({ task, attempt, diff }: Side): string {
  if (attempt === null || diff?.kind === "at-work") return `Nothing of ${task} is saved yet.`;
  if (diff?.kind === "gone") return `${task}: ${diff.why}.`;
  if (diff?.kind !== "problem") return "";
  return `${task}: ${diff.error.message} ${diff.error instanceof SourceError ? diff.error.hint : ""}`;
}

function PathChoice({
  paths,
  path,
  onChoose,
}: {
  readonly paths: readonly string[];
  readonly path: string | null;
  readonly onChoose: (path: string) => void;
}) {
  if (paths.length < 2) return <p class="clash-file mono">{path}</p>;
  return (
    <select
      class="clash-file mono"
      aria-label="File"
      value={path ?? ""}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {paths.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

function SideView({ side, path }: { readonly side: Side; readonly path: string }) {
  const { run } = useMoment().state;
  const { task, attempt, diff } = side;
  const n = attempt === null ? null : splitAttemptId(attempt).n;
  const file = diff?.kind === "diff" ? fileSide(diff.diff.text, path) : null;
  return (
    <div class="clash-side">
      <p class="clash-side-head">
        <a class="mono" href={formatRoute({ view: "task", run, task, tab: "diff", attempt: n })}>
          {task}
          {n !== null && ` #${n}`}
        </a>
      </p>
      {file === null ? (
        <p class="clash-then">{diff === null ? "" : absent(side) || "Its diff does not have this file."}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach what it hides
        <pre class="clash-code" tabIndex={0}>
          {file.lines.map((line, place) => (
            <Line key={place} line={line} />
          ))}
          {file.cutLines > 0 && <span class="clash-line note">{`${file.cutLines} more lines`}</span>}
        </pre>
      )}
    </div>
  );
}

const SIGNS: { readonly [K in DiffLine["kind"]]: string } = {
  hunk: "@",
  same: " ",
  added: "+",
  removed: "-",
  note: " ",
};

function Line({ line: { kind, n, text } }: { readonly line: DiffLine }) {
  return (
    <span class={`clash-line ${kind}`}>
      <span class="clash-number">{n ?? ""}</span>
      <span class="clash-sign">{SIGNS[kind]}</span>
      <span>{text === "" ? " " : text}</span>
    </span>
  );
}
