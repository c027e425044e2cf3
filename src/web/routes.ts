/** What is asked for. Names are as they were sent; whether there is such a run or task, its folder says. */
export type Route =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "session" }
  | { readonly kind: "runs" }
  | { readonly kind: "facts"; readonly run: string; readonly since: number }
  | { readonly kind: "text"; readonly run: string; readonly hash: string }
  | (AttemptRef & { readonly kind: "prompt" | "log" })
  | (AttemptRef & { readonly kind: "transcript"; readonly from: string | null })
  | (AttemptRef & { readonly kind: "diff"; readonly against: number | null })
  | { readonly kind: "actions"; readonly run: string };

type AttemptRef = { readonly run: string; readonly task: string; readonly n: number };

/** Letters of names only. Nothing is ever decoded, so what a path says is what it is: no `%2e`, no backslash, no `//`. */
const NAME = "([A-Za-z0-9][A-Za-z0-9._-]{0,63})";
const RUN = new RegExp(`^/api/runs/${NAME}/(facts|actions)$`);
const TEXT = new RegExp(`^/api/runs/${NAME}/texts/([0-9a-f]{64})$`);
const ATTEMPT = new RegExp(
  `^/api/runs/${NAME}/tasks/${NAME}/attempts/([1-9]\\d{0,4})/(prompt|transcript|log|diff)$`,
);

/** Null where there is nothing of that name. `url` is as it stands in the request. */
export function routeOf(url: string, files: ReadonlySet<string>): Route | null {
  const [path = "", search = ""] = url.split("?", 2);
  const query = new URLSearchParams(search);
  if (path === "/") return { kind: "file", name: "index.html" };
  if (files.has(path.slice(1)) && path.startsWith("/")) return { kind: "file", name: path.slice(1) };
  if (path === "/api/session") return { kind: "session" };
  if (path === "/api/runs") return { kind: "runs" };
  return ofRun(path, query) ?? ofText(path) ?? ofAttempt(path, query);
}

function ofRun(path: string, query: URLSearchParams): Route | null {
  const [, run, what] = RUN.exec(path) ?? [];
  if (run === undefined) return null;
  return what === "actions"
    ? { kind: "actions", run }
    : { kind: "facts", run, since: count(query.get("since")) ?? 0 };
}

function ofText(path: string): Route | null {
  const [, run, hash] = TEXT.exec(path) ?? [];
  return run === undefined || hash === undefined ? null : { kind: "text", run, hash };
}

function ofAttempt(path: string, query: URLSearchParams): Route | null {
  const [, run, task, digits, kind] = ATTEMPT.exec(path) ?? [];
  if (run === undefined || task === undefined) return null;
  const ref = { run, task, n: Number(digits) };
  if (kind === "transcript") return { ...ref, kind, from: query.get("from") };
  if (kind === "prompt" || kind === "log") return { ...ref, kind };
  const against = query.get("against");
  if (against === null || against === "base") return { ...ref, kind: "diff", against: null };
  const other = count(against);
  return other === null ? null : { ...ref, kind: "diff", against: other };
}

/** A number of facts or of an attempt; null for anything else. */
export function count(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
