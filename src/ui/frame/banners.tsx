import type { ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { listBanners, type RunBanner } from "../../core/select/run-banner.ts";
import type { NextActor, StatusKind } from "../../core/select/task-status.ts";
import { capital } from "../../core/text/figures.ts";
import { paragraph, plainText, type Sentence, withPeriod } from "../../core/text/sentence.ts";
import { timeOfDay } from "../../report/local-times.ts";
import { RetryContext, useAsk, useMoment, useOffers, useRunStore } from "../context.ts";
import { Blank, Loading } from "../parts/blank.tsx";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import type { ConnectionState } from "../run/run-store.ts";

const SIGNS: { readonly [A in NextActor]: StatusKind } = {
  you: "held",
  clock: "paused",
  plait: "checking",
  agents: "running",
  later: "dropped",
  done: "merged",
};

/** What holds for the run as a whole now. */
export function RunBanners() {
  const { state, replay } = useMoment();
  const banners = useBanners();
  if (replay !== null && state.ended === null) return null;
  return (
    <>
      {banners.map((banner) => (
        <OneBanner key={plainText(banner.text)} {...banner} />
      ))}
    </>
  );
}

export function useBanners(): readonly RunBanner[] {
  const moment = useMoment();
  return listBanners(moment.state, moment);
}

function OneBanner({ actor, text, action }: RunBanner) {
  const ask = useAsk();
  const { state, isRunning } = useMoment();
  const offersOfRun = useOffers(null);
  const canAsk = useOffers(findTask(action)).length + offersOfRun.length > 0;
  return (
    <Banner actor={actor} shown={SIGNS[actor]} text={text}>
      {action !== null && canAsk && (
        <button type="button" class="button notice-button push" onClick={() => ask(action)}>
          {formatAction(state, action, { isRunning }).verb}…
        </button>
      )}
    </Banner>
  );
}

const findTask = (action: RunAction | null) => (action !== null && "task" in action ? action.task : null);

type BannerProps = {
  readonly actor: NextActor;
  readonly shown: StatusKind;
  readonly text: Sentence;
  /** The one thing to do about it. */
  readonly children?: ComponentChildren;
};

/** One line below the summary: who, why, until when, and one action. */
function Banner({ actor, shown, text, children }: BannerProps) {
  return (
    <div class={`notice ruled row actor-${actor}`}>
      <StateIcon shown={shown} />
      <p class="notice-text wrap">
        <SentenceText text={text} />
      </p>
      {children}
    </div>
  );
}

type Lost = Extract<ConnectionState["connection"], { kind: "lost" }>;
type Unreadable = NonNullable<ConnectionState["unreadable"]>;

/** Shown while the connection to plait is lost, or events cannot be read; the view stays as it was. */
export function ConnectionBanners() {
  const { connection, unreadable, now } = useMoment();
  return (
    <>
      {connection.kind === "lost" && <LostBanner lost={connection} />}
      {connection.kind === "refused" && (
        <Banner
          actor="you"
          shown="failed"
          text={`${connection.message} Showing the run as of ${timeOfDay(now)}.`}
        />
      )}
      {unreadable !== null && (
        <Banner actor="you" shown="failed" text={describeUnreadable(unreadable)}>
          <CopyDetails unreadable={unreadable} />
        </Banner>
      )}
    </>
  );
}

function LostBanner({ lost }: { readonly lost: Lost }) {
  const { latestAt } = useMoment();
  const text = `Connection lost. Showing the run as of ${timeOfDay(latestAt)}. The run itself continues. ${useNextRetry(lost)}`;
  return (
    <Banner actor="clock" shown="retrying" text={text}>
      <RetryNow />
    </Banner>
  );
}

/** Before the first events of the run have arrived. */
export function RunLoading({ run }: { readonly run: string }) {
  const store = useRunStore();
  const [{ connection, unreadable }, setConnection] = useState(store.connection);
  useEffect(() => store.subscribe(() => setConnection(store.connection())), [store]);
  if (unreadable !== null)
    return (
      <Blank title={formatUnreadable(unreadable)} sign={<StateIcon shown="failed" size={22} />}>
        <p>{explainUnreadable(unreadable)}</p>
        <CopyDetails unreadable={unreadable} />
      </Blank>
    );
  if (connection.kind === "refused")
    return <Blank title={connection.message} sign={<StateIcon shown="failed" size={22} />} />;
  return connection.kind === "lost" ? <NotReached lost={connection} /> : <Loading what={run} />;
}

function NotReached({ lost }: { readonly lost: Lost }) {
  return (
    <Blank title="Connection lost" sign={<StateIcon shown="retrying" size={22} />}>
      <p>plait is not responding. Runs continue without this page. {useNextRetry(lost)}</p>
      <RetryNow />
    </Blank>
  );
}

function RetryNow() {
  const retry = useContext(RetryContext);
  return (
    <button type="button" class="button notice-button push" onClick={retry}>
      Retry now
    </button>
  );
}

const SECOND = 1_000;

function useNextRetry({ retryAt }: Lost): string {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [retryAt]);
  const left = Math.ceil((retryAt - now) / SECOND);
  return left <= 0 ? "Retrying now." : `Retrying in ${left} s.`;
}

/** People count from 1. */
const formatUnreadable = ({ n }: Unreadable): string => `Event ${(n + 1).toLocaleString("en")} is unreadable`;

const explainUnreadable = ({ n, problem, hint }: Unreadable): string =>
  plainText(
    paragraph([
      withPeriod(capital(problem)),
      n === 0 ? "" : `Showing the run up to event ${n.toLocaleString("en")}.`,
      hint === "" ? "" : withPeriod(capital(hint)),
    ]),
  );

const describeUnreadable = (unreadable: Unreadable): string =>
  `${formatUnreadable(unreadable)}. ${explainUnreadable(unreadable)}`;

function CopyDetails({ unreadable }: { readonly unreadable: Unreadable }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(describeUnreadable(unreadable));
    setCopied(true);
  };
  return (
    <button type="button" class="button notice-button push" onClick={() => void copy()}>
      {isCopied ? "Copied" : "Copy details"}
    </button>
  );
}
