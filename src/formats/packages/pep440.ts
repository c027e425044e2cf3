/** Versions of Python packages, as PEP 440 writes and orders them. */
export type PythonVersion = {
  readonly epoch: number;
  readonly release: readonly number[];
  /** `a`, `b` or `rc`, with its number. */
  readonly pre: readonly [phase: string, n: number] | null;
  readonly post: number | null;
  readonly dev: number | null;
  readonly local: readonly (string | number)[];
};

const VERSION = new RegExp(
  [
    /^v?(?:(?<epoch>\d{1,15})!)?(?<release>\d{1,15}(?:\.\d{1,15})*)/,
    /(?:[-_.]?(?<phase>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<pre>\d{1,15})?)?/,
    /(?<after>-(?<bare>\d{1,15})|[-_.]?(?:post|rev|r)[-_.]?(?<post>\d{1,15})?)?/,
    /(?<isDev>[-_.]?dev[-_.]?(?<dev>\d{1,15})?)?/,
    /(?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/,
  ]
    .map(({ source }) => source)
    .join(""),
  "i",
);

const PHASES: { readonly [written: string]: string } = {
  ...{ alpha: "a", a: "a", beta: "b", b: "b" },
  ...{ c: "rc", pre: "rc", preview: "rc", rc: "rc" },
};

export function parsePythonVersion(text: string): PythonVersion | null {
  const found = VERSION.exec(text.trim())?.groups;
  if (found === undefined) return null;
  const { epoch, release = "", phase, pre, after, bare, post, isDev, dev, local } = found;
  return {
    epoch: Number(epoch ?? 0),
    release: release.split(".").map(Number),
    pre: phase === undefined ? null : [PHASES[phase.toLowerCase()] ?? "rc", Number(pre ?? 0)],
    post: after === undefined ? null : Number(bare ?? post ?? 0),
    dev: isDev === undefined ? null : Number(dev ?? 0),
    local:
      local === undefined
        ? []
        : local
            .toLowerCase()
            .split(/[-_.]/)
            .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  };
}

export function isPreRelease({ pre, dev }: PythonVersion): boolean {
  return pre !== null || dev !== null;
}

/** Below zero where the first is the older. */
export function comparePythonVersions(a: PythonVersion, b: PythonVersion): number {
  return (
    a.epoch - b.epoch ||
    compareReleases(a.release, b.release) ||
    compareWords(phaseKey(a), phaseKey(b)) ||
    compareWords([a.post ?? -1], [b.post ?? -1]) ||
    compareWords([a.dev ?? Number.POSITIVE_INFINITY], [b.dev ?? Number.POSITIVE_INFINITY]) ||
    compareLocals(a.local, b.local)
  );
}

/** 1.0 and 1.0.0 are the same. */
export function compareReleases(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const order = (a[i] ?? 0) - (b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** 1.0.dev1 comes before 1.0a1, and that before 1.0. */
function phaseKey({ pre, post, dev }: PythonVersion): readonly (string | number)[] {
  if (pre !== null) return [1, ...pre];
  return [post === null && dev !== null ? 0 : 2];
}

function compareWords(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const [x, y] = [a[i] as string | number, b[i] as string | number];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

/** Numbers come after words, and what is longer after what it begins with. */
function compareLocals(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [x, y] = [a[i], b[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (typeof x !== typeof y) return typeof x === "number" ? 1 : -1;
    return x < y ? -1 : 1;
  }
  return 0;
}
