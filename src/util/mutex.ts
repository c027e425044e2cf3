export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

/** One at a time. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // its caller hears of it; the next one starts all the same
    return mine;
  };
}
