// One at a time. git 2.39 fails about one time in ten when worktrees are made or removed beside each other.

export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // its caller hears of it; the next one starts all the same
    return mine;
  };
}

/** By common dir, so that several runs of one repository in one process share it. */
const byRepository = new Map<string, Mutex>();

/** For the worktree metadata of a repository. */
export function metadataMutex(commonDir: string): Mutex {
  const known = byRepository.get(commonDir) ?? createMutex();
  byRepository.set(commonDir, known);
  return known;
}
