import { useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { formatNotice } from "../../core/select/notice-text.ts";
import type { Notice } from "../../core/select/notices.ts";
import { fullTime, timeOfDay } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";
import { useMedia } from "../parts/measured.ts";
import { SentenceText } from "../parts/sentence-text.tsx";
import { ActorList, GroupList } from "./panel/actor-list.tsx";
import { NodePanel } from "./panel/node-panel.tsx";
import { RankList } from "./rank-list.tsx";
import { Stage } from "./stage.tsx";
import { type GraphModel, useGraph } from "./use-graph.ts";
import { useGraphKeys } from "./use-graph-keys.ts";
import "./graph.css";
import "./panel/panel.css";
import "../frame/events.css";

/** The plan as a graph with a list beside it; on a narrow page as lists. */
export function GraphView({ selected }: { readonly selected: TaskId | null }) {
  const model = useGraph(selected);
  const isNarrow = useMedia("(max-width: 699px)");
  return isNarrow ? <NarrowGraph model={model} /> : <WideGraph model={model} />;
}

function WideGraph({ model }: { readonly model: GraphModel }) {
  return (
    <div class="graph">
      <Stage model={model} />
      <div class="graph-beside">
        <RankList model={model} isSeen={false} />
      </div>
      <aside class="graph-side" aria-label="Tasks">
        <SidePanel model={model} />
      </aside>
    </div>
  );
}

const TABS = [
  ["actors", "By status"],
  ["ranks", "By rank"],
] as const;

function NarrowGraph({ model }: { readonly model: GraphModel }) {
  const [tab, setTab] = useState<"actors" | "ranks">("actors");
  useGraphKeys({ model, view: null, layout: model.picture.layout });
  return (
    <div class="graph-narrow">
      <fieldset class="graph-switch choices" aria-label="Tasks">
        {TABS.map(([name, label]) => (
          <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
            {label}
          </button>
        ))}
      </fieldset>
      {tab === "actors" ? <SidePanel model={model} /> : <RankList model={model} isSeen={true} />}
    </div>
  );
}

/** Beside the graph: the selected task; in a replay the events so far; else tasks by who moves them next. */
function SidePanel({ model }: { readonly model: GraphModel }) {
  const row = model.selected === null ? undefined : model.rowOf(model.selected);
  if (row !== undefined && model.selected !== null)
    return <NodePanel model={model} row={row} i={model.selected} />;
  if (model.moment.replay !== null) return <EventsUpTo />;
  if (model.groups !== null) return <GroupList model={model} groups={model.groups} />;
  return <ActorList model={model} />;
}

/** Too many to scroll through; the scrubber finds the others. */
const MOST = 200;

/** Everything that had happened at the moment that is shown, latest first: the side panel of a replay. */
function EventsUpTo() {
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
