/** Lets so many works be under way at once; the others wait for their turn. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function atMost(most: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((turn) => waiting.push(turn));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next(); // its place goes to whoever has waited longest
    }
  };
}
