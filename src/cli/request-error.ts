/** The request cannot be carried out as it was typed: exit code 2. The hint is what to type instead. */
export class RequestError extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** The words of the command line are wrong: the help of the command says which there are. */
export class UsageError extends RequestError {}

/** The request makes sense, but not here and now: exit code 3. */
export class EnvironmentError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
