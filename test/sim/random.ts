/**
 * Random numbers that a seed determines. Each part of a case draws from a stream of its own, named after what it is
 * for, so that dropping a fault or a task while shrinking leaves the rest of the case as it was.
 */
export type Random = {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T;
};

export function randomFrom(...names: readonly (string | number)[]): Random {
  const next = sfc32(names.join(" "));
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new Error("nothing to pick from");
      return list[int(0, list.length - 1)]!;
    },
    shuffle: (list) => {
      const mixed = [...list];
      for (let i = mixed.length - 1; i > 0; i -= 1) {
        const j = int(0, i);
        [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
      }
      return mixed;
    },
    weighted: (choices) => {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices.at(-1)![1];
    },
  };
}

/** Chris Doty-Humphrey's small fast counter, started from a hash of the name. */
function sfc32(name: string): () => number {
  let [a, b, c, d] = hash128(name);
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i += 1) next();
  return next;
}

function hash128(text: string): [number, number, number, number] {
  const words: [number, number, number, number] = [1779033703, 3144134277, 1013904242, 2773480762];
  const primes = [597399067, 2869860233, 951274213, 2716044179] as const;
  for (let i = 0; i < text.length; i += 1) {
    const k = i & 3;
    words[k as 0] = Math.imul(words[k as 0] ^ text.charCodeAt(i) ^ words[((k + 1) & 3) as 0], primes[k as 0]);
    words[((k + 1) & 3) as 0] ^= words[k as 0] >>> 15;
  }
  return words;
}
