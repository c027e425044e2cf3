// What the scripted model answers, one step a request. An agent's retries are requests too, so a fault that is followed by
// another step is met once; as the last step it is met for ever.

/** A conversation whose prompt holds `[script cart]` is answered by the script `cart`. */
export type Scripts = { readonly [name: string]: readonly Step[] };

export type Step = Answer | Fault;

/** The model uses one tool, or says something and thereby ends its turn. */
export type Answer = { readonly usage?: Tokens } & (
  | { readonly text: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly edit: { readonly path: string; readonly old: string; readonly new: string } }
  | { readonly read: string }
  | { readonly bash: string }
  /** Any other tool, by the name that the agent offers it under; Codex knows a tool server by a namespace. */
  | { readonly tool: string; readonly input: object; readonly namespace?: string }
);

/** What is counted for one answer. */
export type Tokens = { readonly input: number; readonly output: number };

export type Fault =
  | Refusal
  /** So many events of an answer, and then silence until the client hangs up. */
  | { readonly stallAfter: number }
  /** The connection breaks after so many events. */
  | { readonly cutAfter: number };

/** An answer of HTTP that is no message. */
export type Refusal = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
  /** Beside the type and the message of the error. */
  readonly more?: object;
};

/** In a prompt: which script answers it. The last one in the conversation counts. */
export function scriptMark(name: string): string {
  return `[script ${name}]`;
}

export function rateLimited(retryAfterSeconds?: number): Refusal {
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return { status: 429, type: "rate_limit_error", message: "Too many requests.", headers };
}

/** A subscription is used up until then. Claude believes it only of a login, not of an API key. */
export function usageLimit(resetsAtSeconds: number): Refusal {
  return {
    ...rateLimited(),
    headers: {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(resetsAtSeconds),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
    },
  };
}

/** A plan of ChatGPT is used up until then: so Codex is told. */
export function planLimit(resetsAtSeconds: number): Refusal {
  const more = { plan_type: "plus", resets_at: resetsAtSeconds };
  return { status: 429, type: "usage_limit_reached", message: "The usage limit has been reached", more };
}

export const overloaded: Refusal = { status: 529, type: "overloaded_error", message: "Overloaded" };
export const unauthorized: Refusal = {
  status: 401,
  type: "authentication_error",
  message: "invalid x-api-key",
};
export const forbidden: Refusal = { status: 403, type: "permission_error", message: "Not for you." };
export const noSuchModel: Refusal = { status: 404, type: "not_found_error", message: "model: nothing" };
export const broke: Refusal = badRequest("Your credit balance is too low to access the Anthropic API.");
export const tooLong: Refusal = badRequest("prompt is too long: 250000 tokens > 200000 maximum");

export function badRequest(message: string): Refusal {
  return { status: 400, type: "invalid_request_error", message };
}
