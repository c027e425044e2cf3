import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import type { RunId, TaskId } from "../../core/ids.ts";
import { type Toast, ToastContext } from "../context.ts";
import { Icon, StateIcon } from "../parts/icon.tsx";
import { Words } from "../parts/words.tsx";
import { formatRoute } from "../route.ts";
import "./toasts.css";

type Shown = Toast & { readonly id: number; readonly until: number };

type Outdate = (about: TaskId | RunId) => void;

const OutdateContext = createContext<Outdate>(() => undefined);

/** Takes away what was said of a task, or of the run: it is not so any more. */
export const useOutdate = (): Outdate => useContext(OutdateContext);

const [MOST, LASTS_MS, LOOK_MS] = [3, 6_000, 500];

/** What is said in passing, at the edge: three at most, and those that nobody has to see go by themselves. */
export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const isHeld = useRef(false);
  const next = useRef(0);
  const say = useCallback((toast: Toast): void => {
    next.current += 1;
    const until = toast.stays === true ? Number.POSITIVE_INFINITY : Date.now() + LASTS_MS;
    const one: Shown = { ...toast, id: next.current, until };
    const isOld = ({ isAnswer }: Shown): boolean => isAnswer === true && toast.isAnswer === true;
    setShown((before) => fewest([...before.filter((other) => !isOld(other)), one]));
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
    <ToastContext.Provider value={say}>
      <OutdateContext.Provider value={outdate}>{children}</OutdateContext.Provider>
      <ul
        class="toasts"
        aria-label="What happened"
        // Who reads one keeps it.
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

/** The newest; one that stays makes way last. */
function fewest(toasts: readonly Shown[]): readonly Shown[] {
  if (toasts.length <= MOST) return toasts;
  const first = toasts.find(({ stays }) => stays !== true) ?? toasts[0];
  return fewest(toasts.filter((one) => one !== first));
}

function OneToast({ toast, onClose }: { readonly toast: Shown; readonly onClose: () => void }) {
  const { shown, text, link } = toast;
  return (
    <li class="toast">
      <StateIcon shown={shown} />
      <span class="toast-text">
        <Words text={text} />
      </span>
      {link !== undefined && (
        <a class="button toast-link" href={formatRoute(link.route)} onClick={onClose}>
          {link.label}
        </a>
      )}
      <button type="button" class="bar-icon" aria-label="Close" onClick={onClose}>
        <Icon sign="close" size={11} />
      </button>
    </li>
  );
}
