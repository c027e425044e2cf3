import { expect, test } from "vitest";
import { routeOf } from "./routes.ts";

const files = new Set(["index.html", "page.js"]);
const route = (url: string) => routeOf(url, files);

test("every address of the page leads to what it names", () => {
  const hash = "ab".repeat(32);
  expect(route("/")).toEqual({ kind: "file", name: "index.html" });
  expect(route("/page.js?v=1")).toEqual({ kind: "file", name: "page.js" });
  expect(route("/api/session")).toEqual({ kind: "session" });
  expect(route("/api/runs")).toEqual({ kind: "runs" });
  expect(route("/api/runs/a-1/facts?since=12")).toEqual({ kind: "facts", run: "a-1", since: 12 });
  expect(route("/api/runs/a-1/facts?since=x")).toEqual({ kind: "facts", run: "a-1", since: 0 });
  expect(route(`/api/runs/a-1/texts/${hash}`)).toEqual({ kind: "text", run: "a-1", hash });
  const ref = { run: "a-1", task: "x.y", n: 3 };
  expect(route("/api/runs/a-1/tasks/x.y/attempts/3/log")).toEqual({ ...ref, kind: "log" });
  const transcript = "/api/runs/a-1/tasks/x.y/attempts/3/transcript";
  expect(route(`${transcript}?from=7.ab`)).toEqual({ ...ref, kind: "transcript", from: "7.ab" });
  const diff = "/api/runs/a-1/tasks/x.y/attempts/3/diff";
  expect(route(diff)).toEqual({ ...ref, kind: "diff", against: null });
  expect(route(`${diff}?against=2`)).toEqual({ ...ref, kind: "diff", against: 2 });
  expect(route("/api/runs/a-1/actions")).toEqual({ kind: "actions", run: "a-1" });
});

test.each([
  ["", "page.js", "/page.js/", "/./page.js", "//page.js", "/page.js%00", "/index.html/../page.js"],
  ["/../package.json", "/..%2fpackage.json", "/%2e%2e/package.json", "/..\\package.json", "/page.css"],
  ["/api/runs/../facts", "/api/runs/%2e%2e/facts", "/api/runs/..%252f/facts", "/api/runs/a/b/facts"],
  ["/api/runs/a/tasks/../attempts/1/log", "/api/runs/a/tasks/t/attempts/0/log", "/api/runs/a/facts/"],
  ["/api/runs/a/tasks/t/attempts/1/diff?against=../x", `/api/runs/a/texts/${"A".repeat(64)}`, "/api"],
])("what is not spelled exactly like that is nothing: %s", (...urls) => {
  for (const url of urls) expect(route(url)).toBeNull();
});
