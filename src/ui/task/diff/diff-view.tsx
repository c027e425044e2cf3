import { useMemo, useRef, useState } from "preact/hooks";
import { attemptId } from "../../../core/ids.ts";
import type { FileChange } from "../../../core/landing-types.ts";
import { type Command, plait } from "../../../core/text/command.ts";
import { count, sizeText } from "../../../core/text/figures.ts";
import { fix } from "../../../core/text/sentence.ts";
import { type DiffFile, parseDiff } from "../../../report/diff/parse-diff.ts";
import type { DiffAgainst, DiffDocument } from "../../../report/page/wire.ts";
import { useMoment, usePage } from "../../context.ts";
import { useKeys } from "../../keys.ts";
import { visible } from "../../parts/ansi.ts";
import { Blank, Loading, Problem } from "../../parts/blank.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";
import { type Loaded, useLoaded } from "../../parts/use-loaded.ts";
import type { TaskRoute } from "../../route.ts";
import { describeFinding, useOwner } from "../rail/ownership.tsx";
import { type ShownAttempt, type ShownTask, type TabProps, toAttemptRef } from "../use-task.ts";
import { DiffFileView } from "./diff-file.tsx";
import "./diff.css";

/** What an attempt changed. */
export function DiffView({ shown, attempt, route, base }: TabProps) {
  const { source } = usePage();
  const { connection } = useMoment();
  const [against, setAgainst] = useState<DiffAgainst>("base");
  const ask = () => source.diff(toAttemptRef(route, attempt.n), against);
  const other = useLoaded(against === "base" ? null : `${attempt.attempt} ${against}`, ask);
  const pane = useRef<HTMLDivElement>(null);
  const go = (what: "file" | "hunk", by: 1 | -1) => () => walk(pane.current, what, by);
  useKeys({ n: go("file", 1), p: go("file", -1), "}": go("hunk", 1), "{": go("hunk", -1) });
  const loaded = against === "base" ? base : other;
  // A file holds one diff of each attempt.
  const earlier = connection.kind === "file" ? [] : listEarlier(shown, attempt);
  return (
    <div class="task-pane" ref={pane}>
      <h3 class="unseen">Diff of attempt {attempt.n}</h3>
      {earlier.length > 0 && (
        <label class="task-diff-against quiet row">
          against
          <select
            class="field"
            value={against}
            onChange={(event) => setAgainst(event.currentTarget.value as DiffAgainst)}
          >
            <option value="base">base</option>
            {earlier.map((n) => (
              <option key={n} value={attemptId(route.task, n)}>
                attempt {n}
              </option>
            ))}
          </select>
        </label>
      )}
      <DiffBody shown={shown} attempt={attempt} loaded={loaded} whole={against === "base" ? route : null} />
    </div>
  );
}

const listEarlier = ({ report }: ShownTask, { n }: ShownAttempt): number[] =>
  report.attempts.filter((one) => one.n < n && one.ref !== null).map((one) => one.n);

type DiffBodyProps = {
  readonly shown: ShownTask;
  readonly attempt: ShownAttempt;
  readonly loaded: Loaded<DiffDocument>;
  /** The task whose full diff a command prints; null where none does. */
  readonly whole: TaskRoute | null;
};

function DiffBody({ shown, attempt, loaded, whole }: DiffBodyProps) {
  if (attempt.ref === null) {
    const isOver = attempt.live === null || attempt.live.stage.kind === "gate";
    return (
      <Blank title={isOver ? "No changes" : "Not saved yet"}>
        <p>{isOver ? "The attempt changed no files." : "Changes are saved when the attempt ends."}</p>
      </Blank>
    );
  }
  if (loaded.kind === "loading") return <Loading what="the diff" />;
  if (loaded.kind === "problem") return <Problem error={loaded.error} />;
  const { value } = loaded;
  if (value.kind === "at-work") return <Blank title="Not saved yet" />;
  if (value.kind === "gone") return <Blank title={value.why} />;
  return <Files shown={shown} attempt={attempt} document={value} whole={whole} />;
}

/** Longer files are collapsed, and all files after this many lines together. */
const OPEN_LINES = 400;
const ALL_LINES = 2_000;

type FilesProps = Pick<DiffBodyProps, "shown" | "attempt" | "whole"> & {
  readonly document: Extract<DiffDocument, { kind: "diff" }>;
};

function Files({ shown, attempt, document: { stat, diff }, whole }: FilesProps) {
  const files = useMemo(() => parseDiff(diff.text), [diff.text]);
  const open = useMemo(() => openFiles(files), [files]);
  const ownerOf = useOwner(shown);
  const finding = new Map(attempt.findings.map((one) => [one.path, one]));
  const counted = new Map(stat.map((one) => [one.path, one]));
  const sum = (of: "added" | "removed") => stat.reduce((total, file) => total + (file[of] ?? 0), 0);
  if (stat.length === 0 && files.length === 0) return <Blank title="No changes" />;
  return (
    <>
      <p class="task-diff-sum quiet">
        {count(stat.length, "file")} <span class="mono task-added">+{sum("added")}</span>{" "}
        <span class="mono bad">−{sum("removed")}</span>
      </p>
      {files.map((file, n) => {
        const found = finding.get(file.path);
        return (
          <DiffFileView
            key={file.path}
            file={file}
            lines={countLines(counted.get(file.path), file)}
            startsOpen={open[n] === true}
            warning={found === undefined ? null : describeFinding(found, ownerOf)}
          />
        );
      })}
      {diff.cutBytes > 0 && (
        <p class="task-diff-cut warn">
          {sizeText(diff.cutBytes)} omitted{formatOmitted(stat, files)}.{" "}
          {whole !== null && <SentenceText text={fix("Full diff", buildDiffCommand(whole, attempt.n))} />}
        </p>
      )}
    </>
  );
}

const buildDiffCommand = ({ run, task }: TaskRoute, n: number): Command =>
  plait("diff", task, { attempt: n, run });

function countLines(counted: FileChange | undefined, { added, removed }: DiffFile) {
  if (counted === undefined) return { added, removed };
  return counted.added === null || counted.removed === null
    ? null
    : { added: counted.added, removed: counted.removed };
}

function openFiles(files: readonly DiffFile[]): boolean[] {
  let total = 0;
  return files.map(({ hunks }) => {
    const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    total += lines;
    return lines <= OPEN_LINES && total <= ALL_LINES;
  });
}

/** Files that are not in the text at all; what is omitted of another is noted below it. */
function formatOmitted(stat: FilesProps["document"]["stat"], files: readonly DiffFile[]): string {
  const there = new Set(files.map(({ path }) => path));
  const missing = stat.filter(({ path }) => !there.has(path));
  if (missing.length === 0) return "";
  const names = missing.slice(0, 5).map(({ path }) => visible(path));
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  return `, all of ${names.join(", ")}${more}`;
}

/** Brings the next or the last file or hunk to the top of what scrolls. False where there is none. */
function walk(pane: HTMLElement | null, what: "file" | "hunk", by: 1 | -1): boolean {
  if (pane === null) return false;
  const all = [...pane.querySelectorAll<HTMLElement>(`[data-${what}]`)];
  const tops = all.map((element) => element.getBoundingClientRect().top - topOf(pane, element));
  const at = by === 1 ? tops.findIndex((top) => top > 1) : tops.findLastIndex((top) => top < -1);
  const found = all[at];
  if (found === undefined) return false;
  found.scrollIntoView({ block: "start" });
  return true;
}

/** Where an element is when it was brought to the top: a head that stays there is above it. */
function topOf(pane: HTMLElement, element: HTMLElement): number {
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  const scrolls = pane.scrollHeight > pane.clientHeight + 1;
  return margin + (scrolls ? pane.getBoundingClientRect().top : 0);
}
