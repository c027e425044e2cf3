import { expect, onTestFinished, test } from "vitest";
import { createStreamTurns, type Turn } from "./stream-turns.ts";

/** Windows of one browser: each hidden or seen, with locks that all of them share. */
function windows() {
  const held = new Set<string>();
  const request = async (
    name: string,
    _: LockOptions,
    use: (lock: Lock | null) => Promise<void>,
  ): Promise<void> => {
    if (held.has(name)) return use(null);
    held.add(name);
    await use({ name, mode: "exclusive" }).finally(() => held.delete(name));
  };
  const locks = { request: request as unknown as LockManager["request"] };
  return (visibilityState: DocumentVisibilityState) => {
    const document = Object.assign(new EventTarget(), { visibilityState });
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    const turns = createStreamTurns({ document: document as unknown as Document, locks });
    let turn: Turn | null = null;
    const hears = (): boolean => turn !== null && !turn.signal.aborted;
    const listen = async (): Promise<void> => {
      while (!gone.signal.aborted) {
        turn = await turns(gone.signal);
        const { signal } = turn;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        turn.end();
      }
    };
    void listen();
    const become = (state: DocumentVisibilityState): void => {
      document.visibilityState = state;
      document.dispatchEvent(new Event("visibilitychange"));
    };
    return { hears, become, close: () => gone.abort() };
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test("of many hidden windows two keep hearing; a window that is seen hears at once, and its place goes to others", async () => {
  const open = windows();
  const all = Array.from({ length: 5 }, () => open("visible"));
  await settled();
  expect(all.map(({ hears }) => hears())).toEqual([true, true, true, true, true]);
  for (const { become } of all) {
    become("hidden");
    await settled();
  }
  expect(all.map(({ hears }) => hears())).toEqual([true, true, false, false, false]);

  all[4]?.become("visible");
  all[0]?.become("visible"); // gives its place as a hidden one back
  await settled();
  all[4]?.become("hidden");
  await settled();
  expect(all.map(({ hears }) => hears())).toEqual([true, true, false, false, true]);
});

test("a window that is opened in the background hears where a place is free, else as soon as it is seen", async () => {
  const open = windows();
  const [first, second, third] = [open("hidden"), open("hidden"), open("hidden")];
  await settled();
  expect([first, second, third].map(({ hears }) => hears())).toEqual([true, true, false]);
  third.become("visible");
  await settled();
  expect(third.hears()).toBe(true);
  first.close();
  await settled();
  third.become("hidden");
  await settled();
  expect(third.hears()).toBe(true);
});
