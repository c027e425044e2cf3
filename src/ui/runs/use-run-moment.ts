import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunId } from "../../core/ids.ts";
import { usePage } from "../context.ts";
import { browserClock } from "../run/browser-clock.ts";
import { createRunStore, type Moment } from "../run/run-store.ts";
import type { Connection } from "../source/source.ts";

/** A run that is looked at beside another: null until its past is told. */
export function useRunMoment(run: RunId): {
  readonly moment: Moment | null;
  readonly connection: Connection;
} {
  const { source } = usePage();
  const store = useMemo(() => createRunStore(browserClock), [run]);
  const [moment, setMoment] = useState<Moment | null>(null);
  const [connection, setConnection] = useState<Connection>({ kind: "connecting" });
  useEffect(() => {
    const abort = new AbortController();
    const stop = store.subscribe(() => setMoment(store.moment()));
    const connected = (next: Connection) => {
      setConnection(next);
      store.connected(next);
    };
    source.follow(run, 0, { event: store.receive, connection: connected }, abort.signal);
    return () => {
      abort.abort();
      stop();
      store.close();
    };
  }, [source, run, store]);
  return { moment, connection };
}
