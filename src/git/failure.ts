// What git can answer besides the result, as one union by reason. It travels inside a thrown GitError: whoever expects one
// reads `failure.reason`, never the text. What a caller has to choose between (a conflict, a refusal) is a value instead.

/** One way in which a call of git ended without its result. `stderr` is kept whole. */
export type GitFailure = {
  readonly args: readonly string[];
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly reason: GitFailureReason;
};

export type GitFailureReason =
  /** The program is not there. */
  | "no-git"
  | "not-a-repository"
  /** Somebody else holds a lock, or is in the middle of making or removing a worktree. Worth another try. */
  | "lock-contention"
  /** A ref, revision or object name that means nothing here. */
  | "not-found"
  /** A ref has another value than the one that was expected. */
  | "conflict"
  /** An object, index or config that cannot be read. */
  | "corrupt"
  | "no-space"
  /** No room for another process, file or piece of memory. It passes. */
  | "busy"
  | "read-only"
  | "old-git"
  | "other";

/** The thrown form of a GitFailure; `code` is its reason. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly code: GitFailureReason;
  readonly failure: GitFailure;

  constructor(failure: GitFailure, cause?: unknown) {
    super(messageOf(failure), cause === undefined ? undefined : { cause });
    this.code = failure.reason;
    this.failure = failure;
  }
}

export function isGitFailure(error: unknown, ...reasons: readonly GitFailureReason[]): error is GitError {
  return error instanceof GitError && reasons.includes(error.code);
}

/** The reason behind what git said on stderr (LC_ALL=C, so the texts of git 2.38 to 2.55 as they are in its source). */
export function reasonOf(stderr: string, code: number | null): GitFailureReason {
  const found = REASONS.find(([, pattern]) => pattern.test(stderr));
  if (found !== undefined) return found[0];
  return code === 129 ? "old-git" : "other"; // 129: an option that this git does not know
}

/** In this order: a full disk also says "Unable to create", a taken lock also says "cannot lock ref". */
const REASONS: readonly (readonly [GitFailureReason, RegExp])[] = [
  ["no-space", /No space left on device|Disk quota exceeded/],
  [
    "busy",
    /Resource temporarily unavailable|Too many open files|Cannot allocate memory|[Oo]ut of memory|cannot fork/,
  ],
  ["conflict", /but expected [0-9a-f]{40}|reference already exists|reference is missing but expected/],
  ["lock-contention", /\.lock': File exists|could not lock config file .*: File exists/],
  // Seen with 2.39.5 when a worktree is made or removed beside: the entry of another one is half there.
  [
    "lock-contention",
    /failed to read .*commondir|(?:Invalid path|could not create directory of) '.*worktrees\//,
  ],
  ["read-only", /Read-only file system|Permission denied|insufficient permission for adding an object/],
  ["not-a-repository", /not a git repository|dubious ownership/],
  [
    "corrupt",
    /is corrupt|object file .* is empty|index file (?:corrupt|smaller)|bad (?:index file|object|signature)/,
  ],
  [
    "corrupt",
    /(?:missing|unable to read) (?:blob|tree|commit|object|sha1)|Could not read [0-9a-f]{40}|inflate/,
  ],
  ["corrupt", /invalid object|is not a valid object|unable to read [0-9a-f]{40}|bad config/],
  [
    "not-found",
    /unknown revision|[Nn]ot a valid (?:object|commit) name|bad revision|unable to resolve reference/,
  ],
  ["not-found", /does not exist|not something we can merge|couldn't find remote ref|invalid reference/],
  ["old-git", /is not a git command|unknown (?:option|switch)/],
];

function messageOf({ args, code, signal, stderr }: GitFailure): string {
  const end = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const said = stderr.trim().split("\n").slice(0, 5).join("; ");
  return `git ${args[0] ?? ""} failed with ${end}${said === "" ? "" : `: ${said}`}`;
}
