import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";

type News = {
  readonly text: string;
  readonly isUrgent: boolean;
  /** A task, or the run: what waits to be said of it is old when there is something new. */
  readonly about: string | null;
};

type Announce = (news: News) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export const useAnnounce = (): Announce => useContext(AnnounceContext);

const EVERY_MS = 5_000;

/** For readers, who hear one thing after another: at most one message in five seconds, of all that came what matters most. */
export function LiveRegion({ children }: { readonly children: ComponentChildren }) {
  const [message, setMessage] = useState("");
  const waiting = useRef<readonly News[]>([]);
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<number | undefined>(undefined);
  const announce = useCallback<Announce>((news) => {
    const isOld = ({ about }: News): boolean => about !== null && about === news.about;
    waiting.current = [...waiting.current.filter((one) => !isOld(one)), news];
    const say = (): void => {
      saidAt.current = Date.now();
      timer.current = undefined;
      setMessage(oneMessage(waiting.current));
      waiting.current = [];
    };
    // Also the first waits a moment: what comes together is said together.
    timer.current ??= window.setTimeout(say, Math.max(50, saidAt.current + EVERY_MS - Date.now()));
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div class="unseen" role="status" aria-live="polite">
        {message}
      </div>
    </AnnounceContext.Provider>
  );
}

const MOST = 3;

/** What needs a person first, else the last of it; how far the run is comes last of all and so is never lost. */
function oneMessage(all: readonly News[]): string {
  const urgent = all.filter(({ isUrgent }) => isUrgent);
  const others = all.filter(({ isUrgent }) => !isUrgent);
  const room = Math.max(1, MOST - urgent.length);
  return [...urgent.slice(0, MOST), ...others.slice(-room)].map(({ text }) => text).join(". ");
}
