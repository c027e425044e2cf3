import type { ProgressClock } from "./io.ts";

/** Ten frames a second at most. */
export const FRAME_MS = 100;
/** And fewer where a frame takes long: whoever watches must not slow down what is watched. The picture never stands, though. */
const MOST_SHARE = 7 / 1_000;
const SLOWEST_MS = 250;

/** When the next frame is drawn. No frame is drawn while one is on its way to the terminal. */
export function createPacer(clock: ProgressClock, draw: () => void) {
  let timer: { readonly cancel: () => void; readonly dueAt: number } | null = null;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let isHeld = false;
  let isOver = false;

  /** If nothing asks for one before; later where the last frame is still too young then. */
  function after(delayMs: number): void {
    if (isOver || isHeld) return;
    const waitMs = Math.max(delayMs, tooYoungMs());
    const dueAt = clock.now() + waitMs;
    if (timer !== null && timer.dueAt <= dueAt) return;
    timer?.cancel();
    timer = { ...clock.setTimer(waitMs, fire), dueAt };
  }

  function tooYoungMs(): number {
    const age = clock.now() - drawnAt;
    const apart = Math.min(SLOWEST_MS, Math.max(FRAME_MS, tookMs / MOST_SHARE));
    // A clock that was set back must not stop the picture.
    return age >= 0 && age < apart ? apart - age : 0;
  }

  function fire(): void {
    timer = null;
    drawnAt = clock.now();
    draw();
    // On average: one frame that had to wait for the processor says little.
    const took = Math.min(SLOWEST_MS * MOST_SHARE, Math.max(0, clock.now() - drawnAt));
    tookMs += (took - tookMs) / 8;
  }

  return {
    after,
    /** At once, unless the last frame is too young. */
    soon: () => after(0),
    /** A frame is on its way. */
    hold: () => {
      isHeld = true;
    },
    /** It has arrived. */
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
