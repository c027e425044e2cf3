/** The operating system's name for an error (ENOENT, EPIPE), if it came from there. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** For a `catch`: this where there is no such file or folder. Every other error is thrown again. */
export function missingIs<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return nothing;
    throw error;
  };
}
