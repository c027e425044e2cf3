import { useRef } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import { offered } from "../../core/select/offers.ts";
import { navigate, useAsk, useMoment, useOffers, useRunStore } from "../context.ts";
import { type Keys, useKeys } from "../keys.ts";
import { type RunRoute, runViews, taskRoute } from "../route.ts";
import { taskTabKeys } from "../task-keys.ts";

/** The keys that work in every view of a run. */
export function useFrameKeys(route: RunRoute, dialogKeys: Keys): void {
  const isFile = useMoment().connection.kind === "file";
  const gone = useRef(Number.NEGATIVE_INFINITY);
  const selected = route.view === "task" ? route.task : route.selected;
  const views = runViews.map((view, n) => [
    String(n + 1),
    () => navigate({ view, run: route.run, selected: route.view === "task" ? null : selected }),
  ]);
  useKeys({
    ...Object.fromEntries(views),
    ...useReplayKeys(),
    ...useActionKeys(route),
    ...openKeys(route),
    ...dialogKeys,
    g: () => {
      gone.current = Date.now();
    },
  });
  // Before the others, because `r` alone is another key.
  useKeys({
    r: () => {
      if (isFile || Date.now() - gone.current > TOGETHER_MS) return false; // a report file has no other runs
      gone.current = Number.NEGATIVE_INFINITY;
      navigate({ view: "runs", compare: null });
      return true;
    },
  });
}

/** The view of a task has its own keys, which keep its attempt. */
function openKeys(route: RunRoute): Keys {
  if (route.view === "task" || route.selected === null) return {};
  const { run, selected: task } = route;
  return taskTabKeys((tab) => navigate(taskRoute(run, task, { tab })));
}

const TOGETHER_MS = 1_000;

function useReplayKeys(): Keys {
  const store = useRunStore();
  const { replay, speed } = useMoment();
  return {
    " ": () => store.play(replay?.isPlaying === true ? null : speed),
    ",": () => store.step(-1),
    ".": () => store.step(1),
    End: () => (replay === null ? false : store.seek(null)),
  };
}

/** Keys of actions that are not possible now do nothing. */
function useActionKeys(route: RunRoute): Keys {
  const ask = useAsk();
  const selected = route.view === "task" ? route.task : route.selected;
  const ofRun = useOffers(null);
  const offersOfTask = useOffers(selected);
  const ofTask = selected === null ? [] : offersOfTask;
  const first =
    (actions: readonly RunAction[], ...kinds: readonly RunAction["kind"][]) =>
    (): false | undefined => {
      const action = kinds.map((kind) => hardest(actions, kind)).find((one) => one !== null);
      if (action === undefined) return false;
      ask(action);
      return undefined;
    };
  return {
    r: first(ofTask, "retry"),
    a: first(ofTask, "accept", "approve"),
    P: first(ofRun, "pause", "unpause"),
    s: first(ofRun, "stop"),
    L: first(ofRun, "land"),
  };
}

/** Of two ways to stop the harder one: its question offers the softer one too. */
function hardest(actions: readonly RunAction[], kind: RunAction["kind"]): RunAction | null {
  return kind === "stop" ? (actions.findLast((one) => one.kind === kind) ?? null) : offered(actions, kind);
}
