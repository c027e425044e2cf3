/** The operating system's name for an error (ENOENT, EPIPE), if it came from there. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** For `catch`: gives the value where the error has one of these codes, and throws every other error. */
export const ifErrno =
  <T>(codes: readonly string[], value: T) =>
  (error: unknown): T => {
    if (codes.includes(errnoOf(error) ?? "")) return value;
    throw error;
  };

/** For `catch`: gives the value where there is nothing of that name. */
export const ifMissing = <T>(value: T) => ifErrno(["ENOENT"], value);

/** The code of an error that came from the operating system; every other error is thrown. */
export function errnoOrThrow(error: unknown): string {
  const code = errnoOf(error);
  if (code === undefined) throw error;
  return code;
}

/** Whether a call succeeds, whatever its error would be. */
export const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );
