import { happeningWords } from "../../core/select/happening-words.ts";
import type { Happening } from "../../core/select/happenings.ts";
import { fullTime, timeOfDay, untilText } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";
import "./facts.css";

/** More nobody scrolls through; the scrubber finds the others. */
const MOST = 200;

/** What had happened by the moment that is shown, the last first: for the side panel of a replay. */
export function FactsUpTo() {
  const store = useRunStore();
  const { happened, upTo, now, state } = useMoment();
  const told = happened.filter(({ n }) => n < upTo);
  const shown = told.slice(-MOST).reverse();
  return (
    <section class="facts" aria-label="Facts">
      <header class="facts-head">
        <h2 class="facts-title">Facts up to {timeOfDay(now)}</h2>
        <span class="facts-count mono">{upTo}</span>
      </header>
      <ol class="facts-list">
        {shown.map(({ n, happening }, i) => (
          <li key={`${n} ${happening.task} ${i}`}>
            <button type="button" class="facts-row" onClick={() => store.seek(happening.at)}>
              <FactRow happening={happening} run={state.run} />
            </button>
          </li>
        ))}
      </ol>
      {told.length > MOST && <p class="facts-more">{told.length - MOST} earlier</p>}
    </section>
  );
}

function FactRow({ happening, run }: { readonly happening: Happening; readonly run: string }) {
  const { shown, text } = happeningWords(happening, untilText);
  return (
    <>
      <StateIcon shown={shown} />
      <span class="facts-task mono">{happening.task ?? run}</span>
      <time class="facts-time mono" title={fullTime(happening.at)}>
        {timeOfDay(happening.at)}
      </time>
      <span class="facts-text">{text}</span>
    </>
  );
}
