import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { paragraph, plainText, withPeriod } from "../../core/text/sentence.ts";

type Announcement = {
  readonly text: string;
  readonly isUrgent: boolean;
  /** A task or the run: a new announcement about it replaces one that is not out yet. */
  readonly about: string | null;
};

type Announce = (one: Announcement) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export const useAnnounce = (): Announce => useContext(AnnounceContext);

const EVERY_MS = 5_000;

/** For screen readers, which read one thing after another: at most one message in five seconds, with the most important news. */
export function LiveRegion({ children }: { readonly children: ComponentChildren }) {
  const [message, setMessage] = useState("");
  const waiting = useRef<readonly Announcement[]>([]);
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<number | undefined>(undefined);
  const announce = useCallback<Announce>((one) => {
    const isOld = ({ about }: Announcement): boolean => about !== null && about === one.about;
    waiting.current = [...waiting.current.filter((other) => !isOld(other)), one];
    const publish = (): void => {
      announcedAt.current = Date.now();
      timer.current = undefined;
      setMessage(joinMessages(waiting.current));
      waiting.current = [];
    };
    // The first waits a moment too, so that news that comes together is announced together.
    timer.current ??= window.setTimeout(publish, Math.max(50, announcedAt.current + EVERY_MS - Date.now()));
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

/** Urgent news first, then the latest; progress is the latest of all and so is never lost. */
function joinMessages(all: readonly Announcement[]): string {
  const urgent = all.filter(({ isUrgent }) => isUrgent);
  const others = all.filter(({ isUrgent }) => !isUrgent);
  const room = Math.max(1, MOST - urgent.length);
  const shown = [...urgent.slice(0, MOST), ...others.slice(-room)].map(({ text }) => withPeriod(text));
  return plainText(paragraph(shown));
}
