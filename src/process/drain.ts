import { systemClock } from "../util/clock.ts";
import type { Output } from "./output.ts";
import { pause, turn, waitFor } from "./pause.ts";

const LOOK_MS = 100;
/** What may be in a pipe and on its way, and more. */
const READY_BYTES = 1024 * 1024;

/**
 * Reads pipes to their end, but not for ever: somebody may hold them who cannot be found. Meanwhile it goes on looking, since a
 * pipe that is still open says that there is somebody.
 */
export async function drain(
  outputs: readonly Output[],
  { deadlineMs, look }: { readonly deadlineMs: number; readonly look: () => Promise<unknown> },
): Promise<void> {
  const start = systemClock.monotonic();
  const closed = Promise.all(outputs.map((one) => one.closed));
  const someOpen = (): boolean => outputs.some((one) => one.isOpen());
  try {
    await lookWhileOpen();
  } finally {
    await Promise.all(outputs.map(cutWhenRead)); // also when it cannot look: an open pipe would keep plait from ending
  }

  async function lookWhileOpen(): Promise<void> {
    for (let leftMs = deadlineMs; leftMs > 0; leftMs = deadlineMs - (systemClock.monotonic() - start)) {
      await waitFor(closed, Math.min(leftMs, LOOK_MS));
      if (!someOpen()) return;
      await look();
    }
  }
}

/** Reads what lies ready, since time may have run out because we were busy, and then no more. */
async function cutWhenRead(output: Output): Promise<void> {
  const limit = output.bytes() + READY_BYTES;
  while (output.isOpen() && output.bytes() < limit) {
    const before = output.bytes();
    await turn();
    await turn();
    if (!output.isWaiting()) await pause(5);
    else if (output.bytes() === before) break;
  }
  output.cut();
}
