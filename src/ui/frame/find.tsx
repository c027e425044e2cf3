import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunId } from "../../core/ids.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { dayAndMinute } from "../../report/local-times.ts";
import type { RunSummary } from "../../report/page/wire.ts";
import { navigate, usePage } from "../context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon, StateIcon } from "../parts/icon.tsx";
import { type Route, taskRoute } from "../route.ts";
import "./dialog.css";

type FindProps = { readonly route: Route; readonly rows: readonly TaskRow[]; readonly onClose: () => void };

const MOST = 50;

/** Finds a task of the run, or another run, by part of its name. */
export function Find({ route, rows, onClose }: FindProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const runs = useOtherRuns();
  const found = useMemo(() => findMatches(text, rows, runs, route), [text, rows, runs, route]);
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    navigate(entry.route);
    onClose();
  };
  const move = (by: number): void => setAt((chosen + by + found.length) % Math.max(1, found.length));
  return (
    <Dialog name="Find" class="find" onClose={onClose}>
      <div class="find-field ruled faint row">
        <Icon sign="find" size={14} />
        <input
          class="find-input"
          type="text"
          autoFocus
          role="combobox"
          aria-label="Task or run"
          aria-expanded="true"
          aria-controls="find-list"
          aria-activedescendant={found.length === 0 ? undefined : `find-${chosen}`}
          placeholder="Task or run"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") move(1);
            else if (event.key === "ArrowUp") move(-1);
            else if (event.key === "Enter") go(found[chosen]);
            else return;
            event.preventDefault();
          }}
        />
        <kbd class="key">esc</kbd>
      </div>
      <FoundList found={found} chosen={chosen} onGo={go} />
      {found.length === 0 && <p class="find-none quiet">No matching task or run.</p>}
    </Dialog>
  );
}

type FoundProps = {
  readonly found: readonly Entry[];
  readonly chosen: number;
  readonly onGo: (entry: Entry) => void;
};

function FoundList({ found, chosen, onGo }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div class="find-list" id="find-list" role="listbox" aria-label="Results" ref={list}>
      {found.map((entry, n) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={entry.key}
          id={`find-${n}`}
          role="option"
          tabIndex={-1}
          aria-selected={n === chosen}
          class="find-entry row"
          onClick={() => onGo(entry)}
        >
          {entry.row === null ? <Icon sign="logo" size={14} /> : <StateIcon shown={entry.row.status.kind} />}
          <span class="mono">{entry.name}</span>
          <span class="quiet cut">{entry.about}</span>
        </div>
      ))}
    </div>
  );
}

type Entry = {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly row: TaskRow | null;
  readonly route: Route;
};

/** Ids that begin with it first, then ids and titles that contain it; tasks before runs. */
function findMatches(
  text: string,
  rows: readonly TaskRow[],
  runs: readonly RunSummary[],
  route: Route,
): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  const has = (...texts: readonly string[]) => texts.join(" ").toLowerCase().includes(wanted);
  const tasks = rows
    .filter(({ task, title }) => has(task, title))
    .map((row): Entry => {
      const { task: name, title, status } = row;
      const about = title === name ? status.kind : `${title}, ${status.kind}`;
      return { key: `task ${name}`, name, about, row, route: findTaskRoute(route, row) };
    });
  const others = runs
    .filter(({ run, plan }) => has(run, plan.path) && (route.view === "runs" || run !== route.run))
    .map(({ run, plan, startedAt }): Entry => {
      const about = `${plan.path}, ${dayAndMinute(startedAt)}`;
      return {
        key: `run ${run}`,
        name: run,
        about,
        row: null,
        route: { view: "graph", run, selected: null },
      };
    });
  const rank = ({ name }: Entry): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return [tasks, others].flatMap((all) => all.toSorted((a, b) => rank(a) - rank(b))).slice(0, MOST);
}

/** Views that show tasks select it; from others its own view opens. */
function findTaskRoute(route: Route, { task }: TaskRow): Route {
  const run = route.view === "runs" ? ("" as RunId) : route.run;
  return route.view === "graph" || route.view === "timeline"
    ? { view: route.view, run, selected: task }
    : taskRoute(run, task);
}

/** None in a file, or without a connection. */
function useOtherRuns(): readonly RunSummary[] {
  const { source } = usePage();
  const [runs, setRuns] = useState<readonly RunSummary[]>([]);
  useEffect(() => {
    source.runs().then(
      (document) => setRuns(document.runs),
      () => undefined,
    );
  }, [source]);
  return runs;
}
