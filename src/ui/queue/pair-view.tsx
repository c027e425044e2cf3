import { useMemo, useState } from "preact/hooks";
import { type AttemptId, splitAttemptId, type TaskId } from "../../core/ids.ts";
import type { Pair } from "../../core/select/clash-map.ts";
import type { Clash } from "../../core/select/clashes.ts";
import type { DiffDocument } from "../../report/page/wire.ts";
import { useMoment } from "../context.ts";
import type { Loaded } from "../parts/use-loaded.ts";
import { formatRoute } from "../route.ts";
import { SourceError } from "../source/source.ts";
import { fileSide, type SideLine } from "./file-sides.ts";
import { loadedDiff, useDiff } from "./use-diff.ts";

/** Both sides of a pair, file by file. */
export function PairView({ pair, clash }: { readonly pair: Pair; readonly clash: Clash | undefined }) {
  const [a, b] = [useSide(pair.a, clash), useSide(pair.b, clash)];
  const paths = pair.kind === "clash" ? pair.paths : commonPaths(a, b);
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

type Side = {
  readonly task: TaskId;
  readonly attempt: AttemptId | null;
  readonly diff: ReturnType<typeof loadedDiff>;
  /** Why there is none; empty where there is, and while it is asked for. */
  readonly absent: string;
};

/** Of a clash the attempt that clashed, else the one that its row is about. */
function useSide(task: TaskId, clash: Clash | undefined): Side {
  const row = useMoment().rows.find((one) => one.task === task);
  const attempt = clash?.task === task ? clash.attempt : (row?.attempt ?? null);
  const asked = useDiff(attempt, row?.shown ?? "");
  const absent = attempt === null ? nothingYet(task) : absentText(task, asked);
  return { task, attempt, diff: loadedDiff(asked), absent };
}

/** Where both have saved something: the files that both changed. */
function commonPaths({ diff: a }: Side, { diff: b }: Side): readonly string[] {
  if (a === null || b === null) return [];
  const changed = new Set(b.stat.map(({ path }) => path));
  return a.stat.map(({ path }) => path).filter((path) => changed.has(path));
}

function restText(a: Side, b: Side): string {
  if (a.diff !== null && b.diff !== null) return "So far no file was changed by both.";
  return [a.absent, b.absent].filter((text) => text !== "").join(" ");
}

const nothingYet = (task: TaskId): string => `Nothing of ${task} is saved yet.`;

function absentText(task: TaskId, asked: Loaded<DiffDocument>): string {
  if (asked.kind === "problem") {
    const { error } = asked;
    return `${task}: ${error.message} ${error instanceof SourceError ? error.hint : ""}`;
  }
  if (asked.kind === "loading" || asked.value.kind === "diff") return "";
  return asked.value.kind === "gone" ? `${task}: ${asked.value.why}.` : nothingYet(task);
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
  const { task, attempt, diff, absent } = side;
  const n = attempt === null ? null : splitAttemptId(attempt).n;
  const text = diff?.diff.text ?? null;
  const file = useMemo(() => (text === null ? null : fileSide(text, path)), [text, path]);
  return (
    <div class="clash-side">
      <p class="clash-side-head">
        <a class="mono" href={formatRoute({ view: "task", run, task, tab: "diff", attempt: n })}>
          {task}
          {n !== null && ` #${n}`}
        </a>
      </p>
      {file === null ? (
        <p class="clash-then">{diff === null ? absent : "Its diff does not have this file."}</p>
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

const SIGNS: { readonly [K in SideLine["kind"]]: string } = {
  hunk: "@",
  same: " ",
  added: "+",
  removed: "-",
  note: " ",
};

function Line({ line: { kind, n, text } }: { readonly line: SideLine }) {
  return (
    <span class={`clash-line ${kind}`}>
      <span class="clash-number">{n ?? ""}</span>
      <span class="clash-sign">{SIGNS[kind]}</span>
      <span>{text === "" ? " " : text}</span>
    </span>
  );
}
