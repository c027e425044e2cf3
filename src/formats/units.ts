/** Durations and sizes as people write them. Pure text in, number out; null when the text is neither. */

/** Whole numbers with units, large to small, each at most once: 1h30m, 90s, 500ms. */
export const durationPattern = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

const durationUnits = [86_400_000, 3_600_000, 60_000, 1_000, 1];

export function parseDuration(text: string): number | null {
  const match = durationPattern.exec(text);
  if (!match) return null;
  return durationUnits.reduce((sum, unit, i) => sum + unit * Number(match[i + 1] ?? 0), 0);
}

const durationWords = ["d", "h", "m", "s", "ms"];

/** As people would write it, so that parseDuration gives it back. */
export function durationText(ms: number): string {
  let rest = ms;
  const parts = durationUnits.map((unit, i) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count === 0 ? "" : `${count}${durationWords[i]}`;
  });
  return parts.join("") || "0ms";
}

/** A number with a unit: kB, MB, GB count in thousands; KiB, MiB, GiB in 1024s. */
export const sizePattern = /^(\d+(?:\.\d+)?) ?(B|[kK]B|MB|GB|KiB|MiB|GiB)$/;

const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1_000,
  mb: 1_000_000,
  gb: 1_000_000_000,
  kib: 1_024,
  mib: 1_048_576,
  gib: 1_073_741_824,
};

export function parseSize(text: string): number | null {
  const match = sizePattern.exec(text);
  if (!match) return null;
  return Math.round(Number(match[1]) * (sizeUnits[(match[2] as string).toLowerCase()] as number));
}
