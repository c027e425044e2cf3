import type { StackCheck } from "../report.ts";
import type { Part } from "./part.ts";

/** Go brings all of them along. */
export function goChecks({ paths }: Part): StackCheck[] {
  const hasTests = [...paths].some((path) => path.endsWith("_test.go"));
  const hasRules = [...paths].some((path) => /^\.golangci\.(?:ya?ml|toml|json)$/.test(path));
  return [
    { name: "build", kind: "build", run: "go build ./..." },
    { name: "vet", kind: "lint", run: "go vet ./..." },
    ...(hasTests ? [{ name: "tests", kind: "tests", run: "go test ./..." } as const] : []),
    { name: "gofmt", kind: "lint", run: "gofmt -l ." },
    ...(hasRules ? [{ name: "golangci-lint", kind: "lint", run: "golangci-lint run" } as const] : []),
  ];
}
