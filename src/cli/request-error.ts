/** The request cannot be carried out as it was typed: exit code 2. The hint is what to type instead. */
export class RequestError extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}
