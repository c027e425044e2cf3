import { plainText, type Sentence } from "../core/text/sentence.ts";

/** The request cannot be carried out as it was typed: exit code 2. The hint is what to type instead. */
export class RequestError extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: Sentence | null = null) {
    super(message);
    this.hint = hint === null ? null : plainText(hint);
  }
}

/** The words of the command line are wrong: the help of the command says which there are. */
export class UsageError extends RequestError {}

/** The request makes sense, but not here and now: exit code 3. */
export class EnvironmentError extends Error {
  readonly hint: string;

  constructor(message: string, hint: Sentence) {
    super(message);
    this.hint = plainText(hint);
  }
}

/** For the older command lines, which need the folder that they are typed in. */
export function requireFolder({ startedIn }: { readonly startedIn: string | null }): string {
  if (startedIn !== null) return startedIn;
  throw new EnvironmentError("the current folder does not exist any more", "go to another one: cd /");
}

/** A failure of the machine becomes an environment error. Rethrows every other error: a bug. */
export async function toExpectedError(error: unknown): Promise<RequestError | EnvironmentError> {
  if (error instanceof RequestError || error instanceof EnvironmentError) return error;
  const { describeEnvironmentProblem } = await import("../app/environment-problem.ts");
  const problem = describeEnvironmentProblem(error);
  if (problem === null) throw error;
  return new EnvironmentError(problem.message, problem.hint);
}
