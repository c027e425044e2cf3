import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useMoment, usePage } from "../../context.ts";
import { useKeys } from "../../keys.ts";
import { Icon, StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { SourceError } from "../../source/source.ts";
import { findingWords, useOwner } from "../rail/ownership.tsx";
import { refOf, type TabProps } from "../tab-props.ts";
import { useFollowing } from "../use-following.ts";
import type { ShownTask } from "../use-task.ts";
import { type FactRow, factRows, startWords } from "./fact-words.ts";
import {
  type Every,
  type FollowedTranscript,
  type Following,
  followTranscript,
  NOTHING_TOLD,
} from "./follow-transcript.ts";
import { type ForeignPaths, ItemRow, Row } from "./item-row.tsx";
import { transcriptItems } from "./items.ts";
import "./transcript.css";

/** What an attempt did, from its start to what plait did with it; the end is in view, and stays there while more comes. */
export function TranscriptView({ shown, attempt, route }: TabProps) {
  const { replay } = useMoment();
  const told = useTranscript({ shown, attempt, route });
  const until = replay?.at ?? Number.POSITIVE_INFINITY;
  const { items } = useMemo(
    () => transcriptItems(told.entries.filter(({ at }) => at <= until)),
    [told.entries, until],
  );
  const start = startWords(shown, attempt);
  const rows = factRows(shown, attempt);
  const foreign = useForeign(shown);
  const pane = useRef<HTMLDivElement>(null);
  const { isFollowing, follow } = useFollowing(pane, items.length + rows.length);
  const { from, showMore } = useEnd(pane, items.length, isFollowing);
  useKeys({ f: follow });
  return (
    <div class="task-pane" ref={pane}>
      <h3 class="unseen">Transcript of attempt {attempt.n}</h3>
      <ol>
        <Row at={attempt.startedAt} tone="start" sign={<StateIcon shown="backoff" />}>
          <p>
            <b>{start.title}</b> {start.text}
          </p>
        </Row>
        {from > 0 && (
          <li class="task-entry-more">
            <button type="button" class="button" onClick={showMore}>
              Show {Math.min(STEP, from).toLocaleString("en-US")} of {from.toLocaleString("en-US")} steps
              before
            </button>
          </li>
        )}
        {items.slice(from).map((item, n) => (
          <ItemRow key={from + n} item={item} foreign={foreign} />
        ))}
        {told.problem !== null && <ProblemRow problem={told.problem} at={attempt.startedAt} />}
        {rows.map((row, n) => (
          <PlaitRow key={n} row={row} href={formatRoute({ ...route, tab: "gates" })} />
        ))}
        {attempt.live !== null && replay === null && <AtWork stage={attempt.live.stage.kind} />}
      </ol>
    </div>
  );
}

/** So many are drawn at once; a browser takes its time for tens of thousands. */
const STEP = 1_000;

/** From where on the steps are drawn: the last of them, and those that were asked for. Nothing goes while somebody reads. */
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

function useTranscript({
  attempt,
  route,
}: Pick<TabProps, "shown" | "attempt" | "route">): FollowedTranscript {
  const { source } = usePage();
  const { connection } = useMoment();
  const [told, setTold] = useState(NOTHING_TOLD);
  const following = useRef<Following | null>(null);
  const isLive = attempt.live !== null && connection.kind !== "file";
  useEffect(() => {
    const place = { attempt: refOf(route, attempt.n), every };
    following.current = followTranscript(source, place, setTold);
    following.current.goOn(isLive);
    return () => following.current?.stop();
  }, [source, attempt.attempt]);
  useEffect(() => following.current?.goOn(isLive), [isLive]);
  return told;
}

const every: Every = (ms, fire) => {
  const timer = setInterval(fire, ms);
  return () => clearInterval(timer);
};

/** The paths that an attempt changed and that are not its own, with what is said about each. */
function useForeign(shown: ShownTask): ForeignPaths {
  const ownerOf = useOwner(shown);
  const findings = shown.attempt?.findings ?? [];
  return useMemo(
    () => new Map(findings.map((finding) => [finding.path, findingWords(finding, ownerOf)])),
    [findings.length, ownerOf],
  );
}

/** What happened to the attempt is known all the same. */
function ProblemRow({ problem, at }: { readonly problem: Error; readonly at: number }) {
  return (
    <Row at={at} tone="wait" sign={<Icon sign="warning" size={14} />}>
      <p>
        {problem.message} {problem instanceof SourceError ? problem.hint : ""}
      </p>
    </Row>
  );
}

const STATES = new Set(["failed", "merged", "gating", "backoff", "parked", "held", "merging"] as const);
type StateSign = typeof STATES extends Set<infer S> ? S : never;
const isState = (sign: FactRow["sign"]): sign is StateSign => (STATES as ReadonlySet<string>).has(sign);

function PlaitRow({ row, href }: { readonly row: FactRow; readonly href: string }) {
  const { at, tone, sign, title, text, output } = row;
  const picture = isState(sign) ? <StateIcon shown={sign} /> : <Icon sign={sign} size={14} />;
  const right =
    output === null ? undefined : (
      <a class="button" href={href}>
        Gate output
      </a>
    );
  return (
    <Row at={at} tone={tone === "plain" ? "plait" : tone} sign={picture} right={right}>
      <p>
        <b>{title}</b>
        {text !== "" && (tone === "plain" ? `, ${text}` : ` ${text}`)}
      </p>
    </Row>
  );
}

const AT_WORK = {
  prepare: "The worktree is made ready",
  run: "The agent is at work",
  save: "The work is saved",
  gate: "Gates are asked",
} as const;

function AtWork({ stage }: { readonly stage: keyof typeof AT_WORK }) {
  return (
    <li class="task-entry task-entry-now">
      <span />
      <span class="task-entry-sign">
        <StateIcon shown={stage === "run" ? "running" : stage === "gate" ? "gating" : "preparing"} />
      </span>
      <p class="task-entry-what">{AT_WORK[stage]}</p>
    </li>
  );
}
