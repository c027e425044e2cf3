/** Virtual time: events in the order of their time, and of their making where times are equal. Nothing else passes it. */
export type Timeline = {
  readonly now: () => number;
  /** How many events have happened: faults are placed by this, so that they can fall between any two. */
  readonly steps: () => number;
  readonly after: (ms: number, run: () => void) => Timer;
  /** Makes the next event happen; false when there is none. */
  readonly step: () => boolean;
};

export type Timer = { readonly cancel: () => void };

type Event = { readonly at: number; readonly order: number; run: (() => void) | null };

export function makeTimeline(): Timeline {
  const heap: Event[] = [];
  let time = 0;
  let made = 0;
  let done = 0;
  return {
    now: () => time,
    steps: () => done,
    after: (ms, run) => {
      made += 1;
      const event: Event = { at: time + Math.max(0, Math.round(ms)), order: made, run };
      push(heap, event);
      return {
        cancel: () => {
          event.run = null;
        },
      };
    },
    step: () => {
      for (let event = pop(heap); event !== undefined; event = pop(heap)) {
        if (event.run === null) continue;
        time = event.at;
        done += 1;
        event.run();
        return true;
      }
      return false;
    },
  };
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Event[], event: Event): void {
  let i = heap.push(event) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(event, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = event;
}

function pop(heap: Event[]): Event | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isBefore(heap[child]!, last)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = last;
  return top;
}
