import type { ProgressIo } from "./io.ts";

/**
 * Text on its way to a reader who may be slow or gone. `push` never waits: what comes while a write is under way is kept
 * and written in one piece afterwards, up to a limit. What is beyond the limit is not kept, and `onFull` says what
 * becomes of it. A run never waits for who watches it, and its memory does not grow with who does not.
 */
export type Outlet = {
  readonly push: (text: string) => void;
  /** Nothing is under way or waits. */
  readonly isIdle: () => boolean;
};

export type OutletOptions = {
  readonly write: ProgressIo["write"];
  readonly maxChars: number;
  /**
   * `skip` leaves out what has no room and tells how often when there is room again; `stop` writes nothing any more, so
   * that what arrived is always the beginning of the whole.
   */
  readonly onFull:
    | { readonly kind: "skip"; readonly tell: (lost: number) => string }
    | { readonly kind: "stop" };
};

export function createOutlet({ write, maxChars, onFull }: OutletOptions): Outlet {
  let waiting: string[] = [];
  let chars = 0;
  let lost = 0;
  let isWriting = false;
  let isOver = false;

  function push(text: string): void {
    if (isOver) return;
    if (isWriting && (lost > 0 || chars + text.length > maxChars)) {
      lost += 1;
      return;
    }
    waiting.push(text);
    chars += text.length;
    send();
  }

  function send(): void {
    if (isWriting || waiting.length === 0) return;
    const text = waiting.join("");
    waiting = [];
    chars = 0;
    isWriting = true;
    write(text, flushed);
  }

  function flushed(ok: boolean): void {
    isWriting = false;
    if (!ok || (isOver && waiting.length === 0)) {
      isOver = true;
      waiting = [];
      return;
    }
    if (waiting.length === 0 && lost > 0) {
      const told = onFull.kind === "skip" ? onFull.tell(lost) : "";
      isOver = onFull.kind === "stop";
      lost = 0;
      if (told !== "") waiting.push(told);
    }
    send();
  }

  return { push, isIdle: () => !isWriting && waiting.length === 0 };
}
