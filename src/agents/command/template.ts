/** Arguments with placeholders. Each stays one argument whatever is put into it: nothing goes through a shell. */

export const PLACEHOLDERS = ["prompt-file", "worktree", "model", "name", "task"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
export type Values = { readonly [P in Placeholder]: string | null };

const PATTERN = /\{([a-z][a-z-]*)\}/g;

/** The arguments, or the first placeholder that has no value. */
export function fillIn(
  argv: readonly string[],
  values: Values,
):
  | { readonly ok: true; readonly argv: readonly string[] }
  | { readonly ok: false; readonly missing: Placeholder } {
  const missing = placeholdersIn(argv).find((name) => values[name] === null);
  if (missing !== undefined) return { ok: false, missing };
  return {
    ok: true,
    argv: argv.map((arg) => arg.replace(PATTERN, (whole, name) => valueFor(values, name) ?? whole)),
  };
}

export function placeholdersIn(argv: readonly string[]): Placeholder[] {
  return namesIn(argv).filter(isPlaceholder);
}

export function unknownPlaceholders(argv: readonly string[]): string[] {
  return namesIn(argv).filter((name) => !isPlaceholder(name));
}

function namesIn(argv: readonly string[]): string[] {
  return argv.flatMap((arg) => [...arg.matchAll(PATTERN)].map(([, name = ""]) => name));
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}

function valueFor(values: Values, name: string): string | null {
  return isPlaceholder(name) ? values[name] : null;
}
