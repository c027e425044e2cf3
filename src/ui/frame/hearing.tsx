import { useContext, useEffect, useState } from "preact/hooks";
import { timeOfDay } from "../../report/local-times.ts";
import { RetryContext, useMoment, useRunStore } from "../context.ts";
import { Blank, Loading } from "../parts/blank.tsx";
import { StateIcon } from "../parts/icon.tsx";
import type { Hearing } from "../run/run-store.ts";
import { Notice } from "./notice.tsx";

type Lost = Extract<Hearing["connection"], { kind: "lost" }>;
type Unreadable = NonNullable<Hearing["unreadable"]>;

/** Says where the page does not hear of the run any more; what is shown stays there. */
export function HearingNotice() {
  const { connection, unreadable, now } = useMoment();
  return (
    <>
      {connection.kind === "lost" && <LostNotice lost={connection} />}
      {connection.kind === "refused" && (
        <Notice
          ball="you"
          shown="failed"
          text={`${connection.message} Shown as it was at ${timeOfDay(now)}.`}
        />
      )}
      {unreadable !== null && (
        <Notice
          ball="you"
          shown="failed"
          text={`${unreadableTitle(unreadable)}. ${unreadableText(unreadable)}`}
        >
          <CopyDetails unreadable={unreadable} />
        </Notice>
      )}
    </>
  );
}

function LostNotice({ lost }: { readonly lost: Lost }) {
  const { latestAt } = useMoment();
  const text = `Connection lost. Showing ${timeOfDay(latestAt)}. The run itself goes on. ${useNextTry(lost)}`;
  return (
    <Notice ball="clock" shown="backoff" text={text}>
      <TryNow />
    </Notice>
  );
}

/** The page before anything is known of the run: it loads, or cannot. */
export function NothingYet({ run }: { readonly run: string }) {
  const store = useRunStore();
  const [{ connection, unreadable }, setHearing] = useState(store.hearing);
  useEffect(() => store.subscribe(() => setHearing(store.hearing())), [store]);
  if (unreadable !== null)
    return (
      <Blank title={unreadableTitle(unreadable)} sign={<StateIcon shown="failed" size={22} />}>
        <p>{unreadableText(unreadable)}</p>
        <CopyDetails unreadable={unreadable} />
      </Blank>
    );
  if (connection.kind === "refused")
    return <Blank title={connection.message} sign={<StateIcon shown="failed" size={22} />} />;
  return connection.kind === "lost" ? <NotReached lost={connection} /> : <Loading what={run} />;
}

function NotReached({ lost }: { readonly lost: Lost }) {
  return (
    <Blank title="Connection lost" sign={<StateIcon shown="backoff" size={22} />}>
      <p>plait does not answer. A run goes on without this page. {useNextTry(lost)}</p>
      <TryNow />
    </Blank>
  );
}

function TryNow() {
  const retry = useContext(RetryContext);
  return (
    <button type="button" class="button notice-button" onClick={retry}>
      Try now
    </button>
  );
}

const SECOND = 1_000;

function useNextTry({ retryAt }: Lost): string {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [retryAt]);
  const left = Math.ceil((retryAt - now) / SECOND);
  return left <= 0 ? "Trying now." : `Next try in ${left} s.`;
}

/** People count from 1. */
const unreadableTitle = ({ n }: Unreadable): string => `Fact ${(n + 1).toLocaleString("en")} cannot be read`;

const unreadableText = ({ n, problem, hint }: Unreadable): string =>
  [`${problem.replace(/\.$/, "")}.`, n === 0 ? "" : `Shown up to fact ${n.toLocaleString("en")}.`, hint]
    .filter((part) => part !== "")
    .join(" ");

function CopyDetails({ unreadable }: { readonly unreadable: Unreadable }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(`${unreadableTitle(unreadable)}. ${unreadableText(unreadable)}`);
    setCopied(true);
  };
  return (
    <button type="button" class="button notice-button" onClick={() => void copy()}>
      {isCopied ? "Copied" : "Copy details"}
    </button>
  );
}
