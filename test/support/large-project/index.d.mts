export type LargeProject = {
  /** By path, sorted. */
  readonly files: ReadonlyMap<string, string>;
  /** Files of what the contracts are about. */
  readonly touched: ReadonlySet<string>;
  readonly contracts: readonly { readonly path: string; readonly file: string; readonly text: string }[];
};

/** Twice the size has twice the files. */
export function largeProject(options?: { readonly size?: number }): LargeProject;

export function sourceProject(files: ReadonlyMap<string, string>): {
  readonly paths: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
};
