import type { Exit, Supervised } from "./supervise.ts";

type Running = Extract<Supervised, { readonly ok: true }>;

/** How a program ended; once the signal is aborted, its end is asked for. */
export async function endedOnAbort(
  { stop, ended }: Pick<Running, "stop" | "ended">,
  signal: AbortSignal | undefined,
): Promise<Exit> {
  const onAbort = (): void => void stop({ kill: false });
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    return await ended;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
