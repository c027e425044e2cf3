import { expect, onTestFinished, test } from "vitest";
import { type Channel, sharedToken } from "./shared-token.ts";

const TOKEN = "A-_9".repeat(10);

/** A window with an address, and with what the browser keeps for it. */
function open(hash: string) {
  const kept = new Map<string, string>();
  const places = {
    location: { hash, pathname: "/" },
    history: { replaceState: () => undefined },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
  };
  const channel = new BroadcastChannel("plait-token-test");
  onTestFinished(() => channel.close());
  return { ...sharedToken(places, channel as unknown as Channel, 50), kept };
}

test("a window without a token has it from one that the server knows, and keeps it", async () => {
  expect(await open("#/run/a/graph").token).toBeNull(); // nobody is there
  const first = open(`#token=${TOKEN}`);
  expect(await open("#/run/a/graph").token).toBeNull(); // whether the server knows that one is not seen yet
  first.answered(200);
  const second = open("#/run/a/graph");
  expect(await second.token).toBe(TOKEN);
  second.answered(200);
  await Promise.resolve();
  expect([...second.kept.values()]).toEqual([TOKEN]);
  first.answered(401); // the server was started anew
  second.answered(401);
  expect(await open("#/run/a/graph").token).toBeNull();
});
