/** The operating system's name for an error (ENOENT, EPIPE), if it came from there. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** For a `catch`: the answer to each of these errors of the system. Every other error is thrown again. */
export function onErrno<T>(answers: { readonly [errno: string]: T }): (error: unknown) => T {
  return (error) => {
    const errno = errnoOf(error) ?? "";
    if (!Object.hasOwn(answers, errno)) throw error;
    return answers[errno] as T;
  };
}

/** The same where there is nothing of that name. */
export function ifMissing<T>(nothing: T): (error: unknown) => T {
  return onErrno({ ENOENT: nothing, ENOTDIR: nothing });
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

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
