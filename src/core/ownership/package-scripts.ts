// `npm test` runs what package.json says: who changes that changes the gate. Everything else in that file is work like any
// other, so it is asked which of the scripts that a gate comes to are no longer what they were.

/** Of these scripts and all that they run, those that do something else than before; none where that cannot be told. */
export function changedScripts(
  before: string | null,
  after: string | null,
  asked: Iterable<string>,
): readonly string[] {
  const [was, now] = [scriptsIn(before), scriptsIn(after)];
  const names = [...scriptsReached(before, asked).keys()].flatMap((name) => [
    `pre${name}`,
    name,
    `post${name}`,
  ]);
  return [...new Set(names)].filter((name) => was.get(name) !== now.get(name));
}

/** Those that are there, and what they run of the same file, each with its line. */
export function scriptsReached(text: string | null, asked: Iterable<string>): ReadonlyMap<string, string> {
  const scripts = scriptsIn(text);
  const reached = new Map<string, string>();
  const add = (name: string) => {
    const line = scripts.get(name);
    if (line !== undefined && !reached.has(name)) reached.set(name, line);
  };
  for (const name of asked) add(name);
  // The map grows while it is walked.
  for (const line of reached.values()) {
    for (const [, name = ""] of line.matchAll(CALLS)) add(name === "t" ? "test" : name);
  }
  return reached;
}

const CALLS = /\b(?:npm|pnpm|yarn|bun)\s+(?:-[\w-]+\s+)*(?:(?:run|run-script)\s+)?(?:-[\w-]+\s+)*([\w:.-]+)/g;

function scriptsIn(text: string | null): ReadonlyMap<string, string> {
  const { scripts } = (parsed(text) ?? {}) as { scripts?: unknown };
  if (typeof scripts !== "object" || scripts === null) return new Map();
  return new Map(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null; // no JSON: npm runs nothing of it
  }
}
