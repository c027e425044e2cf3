import { useMemo, useState } from "preact/hooks";
import { type AttemptId, splitAttemptId, type TaskId } from "../../core/ids.ts";
import type { Clash, Pair } from "../../core/select/clashes.ts";
import type { DiffDocument } from "../../report/page/wire.ts";
import { useMoment, usePage } from "../context.ts";
import { type Loaded, useLoaded } from "../parts/use-loaded.ts";
import { linkTask } from "../route.ts";
import { SourceError } from "../source/source.ts";
import { fileSide, type SideLine } from "./file-sides.ts";

/** Both sides of a pair, file by file. */
export function PairView({ pair, clash }: { readonly pair: Pair; readonly clash: Clash | undefined }) {
  const [a, b] = [useSide(pair.a, clash), useSide(pair.b, clash)];
  const paths = pair.kind === "clash" ? pair.paths : commonPaths(a, b);
  const [chosen, choose] = useState<string | null>(null);
  const path = paths.find((one) => one === chosen) ?? paths[0] ?? null;
  return (
    <section class="queue-card card conflict-pair" aria-label={`${pair.a} and ${pair.b}`}>
      <header class="queue-head ruled row">
        <h2 class="mono">
          {pair.a} <span>×</span> {pair.b}
        </h2>
        <PathChoice {...{ paths, path }} onChoose={choose} />
      </header>
      {path === null ? (
        <p class="queue-none wrap quiet">
          {pair.paths.length > 0 && (
            <>
              Both own <span class="mono">{pair.paths.join(", ")}</span>.{" "}
            </>
          )}
          {explainAbsence(a, b)}
        </p>
      ) : (
        <div class="conflict-sides">
          <SideView side={a} path={path} />
          <SideView side={b} path={path} />
        </div>
      )}
    </section>
  );
}

type Side = ReturnType<typeof useSide>;

/** Of a conflict the attempt that could not be merged, else the one that its row is about. */
function useSide(task: TaskId, clash: Clash | undefined) {
  const row = useMoment().rows.find((one) => one.task === task);
  const attempt = clash?.task === task ? clash.attempt : (row?.attempt ?? null);
  const asked = useDiff(attempt, row?.status.kind ?? "");
  // Why there is none; empty where there is, and while it is asked for.
  const absent = attempt === null ? formatUnsaved(task) : explainAbsent(task, asked);
  return { task, attempt, diff: loadedDiff(asked), absent };
}

/** Where both have saved something: the files that both changed. */
function commonPaths({ diff: a }: Side, { diff: b }: Side): readonly string[] {
  if (a === null || b === null) return [];
  const changed = new Set(b.stat.map(({ path }) => path));
  return a.stat.map(({ path }) => path).filter((path) => changed.has(path));
}

function explainAbsence(a: Side, b: Side): string {
  if (a.diff !== null && b.diff !== null) return "No file is changed by both so far.";
  return [a.absent, b.absent].filter((text) => text !== "").join(" ");
}

const formatUnsaved = (task: TaskId): string => `${task} has no saved work yet.`;

function explainAbsent(task: TaskId, asked: Loaded<DiffDocument>): string {
  if (asked.kind === "problem") {
    const { error } = asked;
    return `${task}: ${error.message} ${error instanceof SourceError ? error.hint : ""}`;
  }
  if (asked.kind === "loading" || asked.value.kind === "diff") return "";
  return asked.value.kind === "gone" ? `${task}: ${asked.value.why}.` : formatUnsaved(task);
}

type PathChoiceProps = {
  readonly paths: readonly string[];
  readonly path: string | null;
  readonly onChoose: (path: string) => void;
};

function PathChoice({ paths, path, onChoose }: PathChoiceProps) {
  if (paths.length < 2) return <p class="conflict-file push quiet mono">{path}</p>;
  return (
    <select
      class="conflict-file field push quiet mono"
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
  const { task, attempt, diff, absent } = side;
  const n = attempt === null ? null : splitAttemptId(attempt).n;
  const text = diff?.diff.text ?? null;
  const file = useMemo(() => (text === null ? null : fileSide(text, path)), [text, path]);
  return (
    <div class="conflict-side">
      <p class="conflict-side-head">
        <a class="link mono" href={linkTask(run, task, { tab: "diff", attempt: n })}>
          {task}
          {n !== null && ` #${n}`}
        </a>
      </p>
      {file === null ? (
        <p class="quiet">{diff === null ? absent : "The diff does not include this file."}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach what it hides
        <pre class="conflict-code" tabIndex={0}>
          {file.lines.map((line, place) => (
            <Line key={place} line={line} />
          ))}
          {file.cutLines > 0 && <span class="conflict-line note">{`${file.cutLines} more lines`}</span>}
        </pre>
      )}
    </div>
  );
}

const SIGNS: { readonly [K in SideLine["kind"]]: string } = {
  hunk: "@",
  same: " ",
  added: "+",
  removed: "-",
  note: " ",
};

function Line({ line: { kind, n, text } }: { readonly line: SideLine }) {
  return (
    <span class={`conflict-line ${kind}`}>
      <span class="conflict-number faint">{n ?? ""}</span>
      <span class="conflict-sign">{SIGNS[kind]}</span>
      <span>{text === "" ? " " : text}</span>
    </span>
  );
}

/** What an attempt changed. Asked for again when `state` is another: what is at work now is saved later. */
export function useDiff(attempt: AttemptId | null, state: string): Loaded<DiffDocument> {
  const { source } = usePage();
  const { run } = useMoment().state;
  const key = attempt === null ? null : `${run} ${attempt} ${state}`;
  return useLoaded(key, () => source.diff({ run, ...splitAttemptId(attempt as AttemptId) }, "base"));
}

/** Null where there is none, or none yet. */
export function loadedDiff(loaded: Loaded<DiffDocument>): Extract<DiffDocument, { kind: "diff" }> | null {
  return loaded.kind === "loaded" && loaded.value.kind === "diff" ? loaded.value : null;
}
