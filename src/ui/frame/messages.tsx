import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import type { RunId, TaskId } from "../../core/ids.ts";
import { paragraph, plainText, withPeriod } from "../../core/text/sentence.ts";
import { type Toast, ToastContext } from "../context.ts";
import { Icon, StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { formatRoute } from "../route.ts";
import "./toasts.css";

type Shown = Toast & { readonly id: number; readonly until: number };

type Outdate = (about: TaskId | RunId) => void;

const OutdateContext = createContext<Outdate>(() => undefined);

/** Removes messages about a task or the run that are no longer true. */
export const useOutdate = (): Outdate => useContext(OutdateContext);

const [MOST, LASTS_MS, LOOK_MS] = [3, 6_000, 500];

/** At most three messages; those that need no action disappear on their own. */
export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const isHeld = useRef(false);
  const next = useRef(0);
  const show = useCallback((toast: Toast): void => {
    next.current += 1;
    const until = toast.stays === true ? Number.POSITIVE_INFINITY : Date.now() + LASTS_MS;
    const one: Shown = { ...toast, id: next.current, until };
    const isOld = ({ isAnswer }: Shown): boolean => isAnswer === true && toast.isAnswer === true;
    setShown((before) => pickNewest([...before.filter((other) => !isOld(other)), one]));
  }, []);
  const outdate = useCallback<Outdate>((what) => {
    setShown((before) => before.filter(({ about }) => about !== what));
  }, []);
  const drop = (id: number): void => setShown((before) => before.filter((one) => one.id !== id));
  const isEmpty = shown.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    const timer = setInterval(() => {
      if (!isHeld.current) setShown((before) => before.filter(({ until }) => until > Date.now()));
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isEmpty]);
  return (
    <ToastContext.Provider value={show}>
      <OutdateContext.Provider value={outdate}>{children}</OutdateContext.Provider>
      <ul
        class="toasts"
        aria-label="Notifications"
        // While the pointer is on them none disappears.
        onPointerEnter={() => {
          isHeld.current = true;
        }}
        onPointerLeave={() => {
          isHeld.current = false;
        }}
      >
        {shown.map((one) => (
          <OneToast key={one.id} toast={one} onClose={() => drop(one.id)} />
        ))}
      </ul>
    </ToastContext.Provider>
  );
}

/** Those that stay are removed last. */
function pickNewest(toasts: readonly Shown[]): readonly Shown[] {
  if (toasts.length <= MOST) return toasts;
  const first = toasts.find(({ stays }) => stays !== true) ?? toasts[0];
  return pickNewest(toasts.filter((one) => one !== first));
}

function OneToast({ toast, onClose }: { readonly toast: Shown; readonly onClose: () => void }) {
  const { shown, text, link } = toast;
  return (
    <li class="toast card row">
      <StateIcon shown={shown} />
      <span class="toast-text wrap">
        <SentenceText text={text} />
      </span>
      {link !== undefined && (
        <a class="button toast-link" href={formatRoute(link.route)} onClick={onClose}>
          {link.label}
        </a>
      )}
      <button type="button" class="bar-icon lights quiet" aria-label="Close" onClick={onClose}>
        <Icon sign="close" size={11} />
      </button>
    </li>
  );
}

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

const MOST_MESSAGES = 3;

/** Urgent news first, then the latest; progress is the latest of all and so is never lost. */
function joinMessages(all: readonly Announcement[]): string {
  const urgent = all.filter(({ isUrgent }) => isUrgent);
  const others = all.filter(({ isUrgent }) => !isUrgent);
  const room = Math.max(1, MOST_MESSAGES - urgent.length);
  const shown = [...urgent.slice(0, MOST_MESSAGES), ...others.slice(-room)].map(({ text }) =>
    withPeriod(text),
  );
  return plainText(paragraph(shown));
}
