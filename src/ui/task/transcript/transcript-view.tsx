import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { isToContinue, nextActorByKind, type StatusKind } from "../../../core/select/task-status.ts";
import { useMoment, usePage } from "../../context.ts";
import { useKeys } from "../../keys.ts";
import { Icon, StateIcon } from "../../parts/icon.tsx";
import { SentenceText } from "../../parts/sentence-text.tsx";
import { formatRoute } from "../../route.ts";
import { browserClock } from "../../run/store-clock.ts";
import { SourceError } from "../../source/source.ts";
import { describeFinding, useOwner } from "../rail/ownership.tsx";
import { type ShownTask, type TabProps, toAttemptRef } from "../use-task.ts";
import { describeStart, type FactRow, formatRow, listFactRows } from "./fact-rows.ts";
import { type ForeignPaths, ItemRow, Row } from "./item-row.tsx";
import {
  EMPTY_TRANSCRIPT,
  type FollowedTranscript,
  type Following,
  followTranscript,
  transcriptItems,
} from "./items.ts";
import "./transcript.css";

/** An attempt from its start to what plait did with it; the end is in view, and stays there while more comes. */
export function TranscriptView({ shown, attempt, route }: TabProps) {
  const { replay } = useMoment();
  const transcript = useTranscript({ attempt, route });
  const until = replay?.at ?? Number.POSITIVE_INFINITY;
  const { items } = useMemo(
    () => transcriptItems(transcript.entries.filter(({ at }) => at <= until)),
    [transcript.entries, until],
  );
  const rows = listFactRows(shown, attempt);
  const isAtRest = isToContinue(shown.row.status);
  const foreign = useForeign(shown);
  const pane = useRef<HTMLDivElement>(null);
  const { isFollowing, follow } = useFollowing(pane, items.length + rows.length);
  const { from, showMore } = useEnd(pane, items.length, isFollowing);
  useKeys({ f: follow });
  return (
    <div class="task-pane" ref={pane}>
      <h3 class="unseen">Transcript of attempt {attempt.n}</h3>
      <ol>
        <Row at={attempt.startedAt} tone="start" sign={<StateIcon shown="retrying" />}>
          <RowText row={describeStart(shown, attempt)} />
        </Row>
        {from > 0 && (
          <li class="task-entry-more">
            <button type="button" class="button" onClick={showMore}>
              Show {Math.min(STEP, from).toLocaleString("en-US")} of {from.toLocaleString("en-US")} earlier
              steps
            </button>
          </li>
        )}
        {items.slice(from).map((item, n) => (
          <ItemRow key={from + n} item={item} foreign={foreign} />
        ))}
        {transcript.problem !== null && <ProblemRow problem={transcript.problem} at={attempt.startedAt} />}
        {rows.map((row, n) => (
          <PlaitRow key={n} row={row} href={formatRoute({ ...route, tab: "gates" })} />
        ))}
        {attempt.live !== null && replay === null && !isAtRest && (
          <CurrentStage stage={attempt.live.stage.kind} />
        )}
      </ol>
    </div>
  );
}

/** Rendered at once; tens of thousands would be slow. */
const STEP = 1_000;

/** From where on steps are rendered: the last ones, and those that were requested. None disappears while a person reads. */
function useEnd(pane: RefObject<HTMLElement | null>, length: number, isFollowing: boolean) {
  const [most, setMost] = useState(STEP);
  const from = useRef(0);
  const height = useRef<number | null>(null);
  if (isFollowing || height.current !== null || from.current > length)
    from.current = Math.max(0, length - most);
  useLayoutEffect(() => {
    const { current } = pane;
    if (current !== null && height.current !== null)
      current.scrollTop += current.scrollHeight - height.current;
    height.current = null;
  }, [most]);
  const showMore = () => {
    height.current = pane.current?.scrollHeight ?? null;
    setMost(length - from.current + STEP);
  };
  return { from: from.current, showMore };
}

function useTranscript({ attempt, route }: Pick<TabProps, "attempt" | "route">): FollowedTranscript {
  const { source } = usePage();
  const { connection } = useMoment();
  const [transcript, setTranscript] = useState(EMPTY_TRANSCRIPT);
  const following = useRef<Following | null>(null);
  const isLive = attempt.live !== null && connection.kind !== "file";
  useEffect(() => {
    const place = { attempt: toAttemptRef(route, attempt.n), every: browserClock.every };
    following.current = followTranscript(source, place, setTranscript);
    following.current.setLive(isLive);
    return () => following.current?.stop();
  }, [source, attempt.attempt]);
  useEffect(() => following.current?.setLive(isLive), [isLive]);
  return transcript;
}

/** Paths outside `owns` that the attempt changed, each with its finding. */
function useForeign(shown: ShownTask): ForeignPaths {
  const ownerOf = useOwner(shown);
  const findings = shown.attempt?.findings ?? [];
  return useMemo(
    () => new Map(findings.map((finding) => [finding.path, describeFinding(finding, ownerOf)])),
    [findings.length, ownerOf],
  );
}

/** The other rows are known without the transcript. */
function ProblemRow({ problem, at }: { readonly problem: Error; readonly at: number }) {
  return (
    <Row at={at} tone="wait" sign={<Icon sign="warning" size={14} />}>
      <p>
        {problem.message} {problem instanceof SourceError ? problem.hint : ""}
      </p>
    </Row>
  );
}

const isStatus = (sign: FactRow["sign"]): sign is StatusKind => sign in nextActorByKind;

function PlaitRow({ row, href }: { readonly row: FactRow; readonly href: string }) {
  const { at, tone, sign, output } = row;
  const picture = isStatus(sign) ? <StateIcon shown={sign} /> : <Icon sign={sign} size={14} />;
  const right =
    output === null ? undefined : (
      <a class="button" href={href}>
        Gate output
      </a>
    );
  return (
    <Row at={at} tone={tone === "plain" ? "plait" : tone} sign={picture} right={right}>
      <RowText row={row} />
    </Row>
  );
}

function RowText({ row }: { readonly row: Parameters<typeof formatRow>[0] }) {
  const [title, rest] = formatRow(row);
  return (
    <p>
      <b>
        <SentenceText text={title} />
      </b>
      <SentenceText text={rest} />
    </p>
  );
}

const STAGES = {
  prepare: "Preparing the worktree",
  run: "Running",
  save: "Saving the work",
  gate: "Running gates",
} as const;

function CurrentStage({ stage }: { readonly stage: keyof typeof STAGES }) {
  return (
    <li class="task-entry task-entry-now">
      <span />
      <span class="task-entry-sign quiet row">
        <StateIcon shown={stage === "run" ? "running" : stage === "gate" ? "checking" : "preparing"} />
      </span>
      <p class="task-entry-what wrap">{STAGES[stage]}</p>
    </li>
  );
}

const NEAR = 48;

/**
 * Keeps the end of something that grows in view, until the person scrolls away from it. On a narrow page, where the whole page
 * scrolls, nothing is moved.
 */
function useFollowing(pane: RefObject<HTMLElement | null>, length: number) {
  const [isFollowing, setFollowing] = useState(true);
  const isAtEnd = useRef(true);
  const toEnd = () => {
    if (pane.current !== null) pane.current.scrollTop = pane.current.scrollHeight;
  };
  useEffect(() => {
    const { current } = pane;
    if (current === null) return;
    const onScrolled = () => {
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
      setFollowing(isAtEnd.current);
    };
    current.addEventListener("scroll", onScrolled, { passive: true });
    return () => current.removeEventListener("scroll", onScrolled);
  }, [pane]);
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [length]);
  const follow = () => {
    isAtEnd.current = true;
    setFollowing(true);
    toEnd();
  };
  return { isFollowing, follow };
}
