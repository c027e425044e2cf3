import { cpuMs } from "./cpu.ts";

/** What a machine does meanwhile, and what is too quick to tell. */
const NOISE_MS = 40;
/** Units share a process: what it tidies up for others is counted, too, but not each time. */
const TRIES = 4;

/**
 * Does a piece of work on more and more, four times as much each time, and tells where the work grew by eight times or more, and
 * by three times again for twice as much: what grows with the square takes sixteen times as long, then four times, while a heap that
 * had to be made larger costs once. Null where it never did. It begins small, so that the worst ends soon, too.
 */
export async function tooMuchGrowth(
  work: (size: number) => unknown,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<string | null> {
  const measured = async (size: number): Promise<number> => {
    const start = cpuMs();
    await work(size);
    return cpuMs() - start;
  };
  await work(from); // what is only done once is done
  let before = await measured(from);
  for (let size = from * 4; size <= to; size *= 4) {
    let now = await measured(size);
    for (let n = 1; n < TRIES && isMuch(before, now); n += 1) now = Math.min(now, await measured(size));
    if (isMuch(before, now) && (await measured(size * 2)) >= 3 * now)
      return `${size} took ${now} ms, ${size / 4} took ${before} ms, and it goes on like that`;
    before = now;
  }
  return null;
}

function isMuch(before: number, now: number): boolean {
  return now >= 8 * Math.max(before, NOISE_MS);
}
