import { formatNotice } from "../../core/select/notice-text.ts";
import type { Notice } from "../../core/select/notices.ts";
import { fullTime, timeOfDay } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import "./events.css";

/** Too many to scroll through; the scrubber finds the others. */
const MOST = 200;

/** Everything that had happened at the moment that is shown, latest first: the side panel of a replay. */
export function EventsUpTo() {
  const store = useRunStore();
  const { noticed, upTo, now, state } = useMoment();
  const past = noticed.filter(({ n }) => n < upTo);
  const shown = past.slice(-MOST).reverse();
  return (
    <section class="events" aria-label="Events">
      <header class="events-head ruled">
        <h2 class="events-title">Events up to {timeOfDay(now)}</h2>
        <span class="faint mono">{upTo}</span>
      </header>
      <ol class="events-list">
        {shown.map(({ n, notice }, i) => (
          <li key={`${n} ${notice.task} ${i}`}>
            <button type="button" class="events-row lights" onClick={() => store.seek(notice.at)}>
              <EventRow notice={notice} run={state.run} />
            </button>
          </li>
        ))}
      </ol>
      {past.length > MOST && <p class="events-more small faint">{past.length - MOST} earlier</p>}
    </section>
  );
}

function EventRow({ notice, run }: { readonly notice: Notice; readonly run: string }) {
  const { sign, text } = formatNotice(notice);
  return (
    <>
      <StateIcon shown={sign} />
      <span class="events-task cut mono">{notice.task ?? run}</span>
      <time class="faint mono" title={fullTime(notice.at)}>
        {timeOfDay(notice.at)}
      </time>
      <span class="events-text wrap small quiet">
        <SentenceText text={text} isStatic={true} />
      </span>
    </>
  );
}
