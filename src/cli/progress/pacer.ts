import type { ProgressClock } from "./io.ts";

/** Ten frames a second at most. */
export const FRAME_MS = 100;

/** When the next frame is drawn. No frame is drawn while one is on its way to the terminal. */
export type Pacer = {
  /** At once, unless the last frame is too young. */
  readonly soon: () => void;
  /** If nothing asks for one before. */
  readonly after: (delayMs: number) => void;
  /** A frame is on its way. */
  readonly hold: () => void;
  /** It has arrived. */
  readonly release: () => void;
  readonly end: () => void;
};

export function createPacer(clock: ProgressClock, draw: () => void): Pacer {
  let timer: { readonly cancel: () => void; readonly dueAt: number } | null = null;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isHeld = false;
  let isOver = false;

  function after(delayMs: number): void {
    if (isOver || isHeld) return;
    const dueAt = clock.now() + delayMs;
    if (timer !== null && timer.dueAt <= dueAt) return;
    timer?.cancel();
    timer = { ...clock.setTimer(delayMs, fire), dueAt };
  }

  function fire(): void {
    timer = null;
    drawnAt = clock.now();
    draw();
  }

  return {
    after,
    soon: () => {
      const age = clock.now() - drawnAt;
      // A clock that was set back must not stop the picture.
      after(age >= 0 && age < FRAME_MS ? FRAME_MS - age : 0);
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
    },
    end: () => {
      isOver = true;
      timer?.cancel();
      timer = null;
    },
  };
}
