import { describe, expect, test } from "vitest";
import { readConfig } from "./read-config.ts";

const told = (text: string) =>
  readConfig({ file: "c.yaml", origin: "project", text }).diagnostics.map(({ at, code, message, hint }) => [
    `${at?.start.line}:${at?.start.col} ${code}: ${message}`,
    hint,
  ]);

describe("a good file", () => {
  test.each(["", "# nothing\n", "{}"])("may say nothing: %j", (text) =>
    expect(readConfig({ file: "c.yaml", origin: "project", text })).toEqual({ says: {}, diagnostics: [] }),
  );

  test("may be JSON, which is YAML", () =>
    expect(readConfig({ file: "c.yaml", origin: "project", text: '{"concurrency": 3}' }).says).toEqual({
      concurrency: 3,
    }));
});

test("the user's own file may redirect, allow it to others, and name this machine", () => {
  const text =
    "agents: { a: { run: [a], env: { OPENAI_BASE_URL: x } } }\nallow-env: [HTTPS_PROXY]\ntraces: { endpoint: http://localhost:4318/v1/traces }";
  expect(readConfig({ file: "c.yaml", origin: "user", text }).diagnostics).toEqual([]);
  const project = "agents: { a: { run: [a], env: { HTTPS_PROXY: x } } }";
  const asked = { file: "c.yaml", origin: "project", text: project } as const;
  expect(readConfig({ ...asked, allowedEnv: ["HTTPS_PROXY"] }).diagnostics).toEqual([]);
});

describe("a bad file has the place and what to write", () => {
  test.each<[string, string, string | null]>([
    [
      "agnets: {}",
      "1:1 unknown-key: unknown key `agnets` at the top level of the configuration",
      "did you mean `agents`?",
    ],
    [
      "slots: 4",
      "1:1 unknown-key: unknown key `slots` at the top level of the configuration",
      "use `concurrency` instead",
    ],
    [
      "retries: 4",
      "1:1 unknown-key: unknown key `retries` at the top level of the configuration",
      "move `retries` to `defaults`",
    ],
    [
      "gates: x",
      "1:1 unknown-key: unknown key `gates` at the top level of the configuration",
      "set `gates` in a plan instead",
    ],
    [
      "allow-root: true",
      "1:1 unknown-key: unknown key `allow-root` at the top level of the configuration",
      "delete it, and pass the flag: --allow-root",
    ],
    [
      "copy: .env",
      "1:1 unknown-key: unknown key `copy` at the top level of the configuration",
      "move it to `prepare`",
    ],
    [
      "prepare: { copy: [a, ../b] }",
      '1:22 copy-escapes: the configuration copies `../b`, which contains ".."',
      "copy only files in the repository: `copy: [.env]`",
    ],
    [
      "checks: []",
      "1:1 unknown-key: unknown key `checks` at the top level of the configuration",
      "move it to `integrate`",
    ],
    [
      "integrate: { checks: [{ name: a, run: x, kind: test }] }",
      "1:48 bad-value: kind must be one of tests, types, lint, build, migrations, not `test`",
      "did you mean `tests`?",
    ],
    [
      "integrate: { checks: [{ name: a, run: x }, { name: a, run: y }] }",
      "1:52 bad-value: name must be a unique name, not `a`",
      null,
    ],
    [
      "integrate: { checks: make test }",
      "1:22 wrong-type: integrate.checks must be a list such as [{ name: tests, run: make test }], not the string `make test`",
      null,
    ],
    [
      "integrate: { checks: [{ name: a, run: x, cmd: y }] }",
      "1:42 unknown-key: unknown key `cmd` in a check",
      "use `run` instead",
    ],
    ["land: end\nland: never", "2:1 duplicate-key: the key `land` is used twice", "delete one `land`"],
    ["- a", "1:1 wrong-type: the configuration must be a map, not a list", null],
    [
      "land: nevr",
      "1:7 bad-value: land must be one of end, partial, never, not `nevr`",
      "did you mean `never`?",
    ],
    ["ports: { from: 80 }", "1:16 bad-ports: ports.from must be an integer from 1024 to 65535, not 80", null],
    [
      "ports: { from: 3000, to: 3004 }",
      "1:8 bad-ports: the ports 3000-3004 are fewer than the 10 a worktree gets",
      "widen the range, or lower `count`",
    ],
    ["concurrency: 0", "1:14 bad-value: concurrency must be an integer from 1 to 256, not 0", null],
    [
      "defaults: { timeout: 45 }",
      "1:22 wrong-type: defaults.timeout must be a duration such as 45m, 90s or 1h30m, not the number 45",
      "add a unit: `45m` or `45s`",
    ],
    [
      "defaults: { agent: --yes }",
      "1:20 bad-agent: defaults uses the agent `--yes`, which looks like an option",
      "use only the name: `agent: claude`",
    ],
    ["agents:", "1:1 wrong-type: agents has no value; expected a map", null],
    [
      "agents:\n  a: { title: A }",
      "2:6 missing-key: missing key `run` in an agent",
      "add `run`: a list such as [my-agent, --yes]",
    ],
    ["agents:\n  a: { rum: [a] }", "2:8 unknown-key: unknown key `rum` in an agent", "did you mean `run`?"],
    [
      "agents:\n  a: { run: a b }",
      "2:13 wrong-type: agents.a.run must be a list such as [my-agent, --yes], not the string `a b`",
      null,
    ],
    [
      "agents:\n  a: { run: [] }",
      "2:13 bad-value: agents.a.run must be a list that starts with a program, not an empty list",
      null,
    ],
    [
      "agents:\n  a: { run: [a, {prompt-file}] }",
      "2:17 wrong-type: item 2 of agents.a.run must be a string, not a map",
      'quote it: `"{prompt-file}"`',
    ],
    [
      'agents:\n  a: { run: [a, "{promptfile}"] }',
      "2:17 config-agent: the agent `a` uses the unknown placeholder {promptfile}",
      "did you mean {prompt-file}?",
    ],
    [
      'agents:\n  a: { run: ["{task}"] }',
      "2:14 config-agent: the agent `a` has a placeholder as the program to run",
      "start the list with a program: `run: [my-agent]`",
    ],
    [
      'agents:\n  a: { run: ["a\\0"] }',
      "2:14 config-agent: the agent `a` has an argument with a NUL character",
      "see an example: plait explain config-agent",
    ],
    [
      "agents:\n  claude: { run: [x] }",
      "2:3 config-agent: the agent `claude` has the name of a built-in agent",
      "rename it: `my-claude`",
    ],
    [
      "agents:\n  --a: { run: [x] }",
      "2:3 config-agent: the agent `--a` has an invalid name",
      "use up to 64 letters, digits, dots, dashes and underscores: `my-agent`",
    ],
    [
      "agents:\n  a: { run: [a], exits: { 0: crash } }",
      "2:27 config-agent: the agent `a` has the exit code 0",
      "use codes from 1 to 255: `exits: { 75: rate-limit }`",
    ],
    [
      "agents:\n  a: { run: [a], exits: { 75: rate-limits } }",
      expect.stringContaining("2:31 bad-value: agents.a.exits.75 must be one of rate-limit, ") as never,
      "did you mean `rate-limit`?",
    ],
    [
      "agents:\n  a: { run: [a], env: { PATH: x } }",
      "2:25 env-refused: the agent `a` cannot set `PATH`: the variable decides which programs run",
      "set it inside the command that needs it: `PATH=… command`",
    ],
    [
      "agents:\n  a: { run: [a], env: { OPENAI_BASE_URL: x } }",
      "2:25 env-redirects: the agent `a` sets `OPENAI_BASE_URL`, which can send an agent's requests and your key to another server",
      "delete `OPENAI_BASE_URL`, or allow it: --allow-env OPENAI_BASE_URL",
    ],
    [
      "allow-env: [OPENAI_BASE_URL]",
      "1:1 config-only-yours: `allow-env` is only allowed in your own file",
      "move `allow-env` to your own file: ~/.config/plait/config.yaml",
    ],
    [
      "traces: { endpoint: http://localhost:4318/v1/traces }",
      "1:21 config-only-yours: `traces.endpoint` points to your own machine",
      "move `traces.endpoint` to your own file: ~/.config/plait/config.yaml",
    ],
    [
      "notify: { webhook: http://127.0.0.1:9/x }",
      "1:20 config-only-yours: `notify.webhook` points to your own machine",
      "move `notify.webhook` to your own file: ~/.config/plait/config.yaml",
    ],
    [
      "agents:\n  a: { run: [a], env: { N: 1 } }",
      "2:28 wrong-type: agents.a.env.N must be a string, not the number 1",
      'quote it: `"1"`',
    ],
    [
      "a: 1\n---\nb: 2",
      "2:1 two-plans: second configuration in one file",
      "move one configuration to another file",
    ],
    [
      "land: !x end",
      expect.stringContaining("yaml-tag: YAML tags are not supported in a configuration") as never,
      expect.anything() as never,
    ],
    ["__proto__: 1", "1:1 unknown-key: unknown key `__proto__`", "delete `__proto__`"],
  ])("%j", (text, message, hint) => {
    expect(readConfig({ file: "c.yaml", origin: "project", text }).says).toBeNull();
    expect(told(text)).toEqual([[message, hint]]);
  });

  test("merge keys are told", () =>
    expect(told("x: &x { a: 1 }\ndefaults: { <<: *x }")[0]).toEqual([
      "2:13 unknown-key: the merge key `<<` is not supported in a configuration",
      "write out the keys, without `<<`",
    ]));

  test("all findings at once", () => expect(told("a: 1\nb: 2\nland: 3\n")).toHaveLength(3));

  test("aliases that unpack to more than anybody needs, and depth", () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`);
    expect(
      told(["a-1: &a-1 [x]", ...bomb].join("\n"))
        .map(([text]) => text)
        .join(),
    ).toContain("yaml-alias");
    expect(told(`defaults: ${"[".repeat(5_000)}`)[0]?.[0]).toContain("too-deep");
  });
});
