/** The files that are judged: those of a commit, or of a folder. Paths are from its root, with `/`. */
export type SourceProject = {
  /** All files, sorted. */
  readonly paths: readonly string[];
  /** Null: it is not there, is no text, or is larger than anything that people write. */
  readonly read: (path: string) => Promise<string | null>;
};

/** Files that implement something: no tests, nothing that was copied in or generated for others, no artefacts of plans. */
export function isImplementation(path: string): boolean {
  return !TEST.test(path) && !FOREIGN.test(path);
}

const TEST =
  /(?:^|\/)(?:tests?|testing|__tests__|__mocks__|spec|e2e|fixtures|testdata|migrations)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|(?:_test\.(?:py|go)|\.(?:test|spec|stories)\.[cm]?[jt]sx?)$/;
const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor|third_party|site-packages|dist|build|out|coverage|\.[^/]+|parallel)\//;
