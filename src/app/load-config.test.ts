import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { defaultLayers } from "../config/settings.ts";
import { loadConfig } from "./load-config.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "plait-config-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const { base } = defaultLayers();
const empty = folderWith({});
const load = (cwd: string, env = { XDG_CONFIG_HOME: empty } as Record<string, string>) =>
  loadConfig({ cwd, env, base });
const retriesIn = async (cwd: string, env?: Record<string, string>) =>
  (await load(cwd, env)).config?.base.retries;
const retries = (n: number) => `defaults: { retries: ${n} }\n`;

describe("files are found", () => {
  test("none is needed", async () =>
    expect(await load(empty)).toEqual({
      config: {
        ...{
          base,
          agents: [],
          keep: { days: 14, bytes: 2 * 1024 ** 3, copies: 2 * 1024 ** 3 },
          checks: null,
          openapi: null,
        },
        traces: { file: false, endpoint: null },
        allowedEnv: [],
      },
      project: null,
      include: [],
      diagnostics: [],
      sources: new Map(),
    }));

  test("the user's by XDG_CONFIG_HOME, else in HOME", async () => {
    const xdg = folderWith({ "plait/config.yaml": retries(7) });
    const home = folderWith({ ".config/plait/config.yaml": retries(8) });
    expect(await retriesIn(empty, { XDG_CONFIG_HOME: xdg, HOME: home })).toBe(7);
    expect(await retriesIn(empty, { HOME: home })).toBe(8);
    expect(await retriesIn(empty, { HOME: home, XDG_CONFIG_HOME: "relative" })).toBe(8);
  });

  test("no relative folder is taken for the user's", async () => {
    const cwd = process.cwd();
    const folder = folderWith({ ".config/plait/config.yaml": retries(8), "plait/config.yaml": retries(9) });
    for (const HOME of ["", ".", "./"]) {
      expect(await retriesIn(folder, { HOME, XDG_CONFIG_HOME: "." })).toBe(base.retries);
    }
    expect(process.cwd()).toBe(cwd);
  });

  test("the project's in the current folder, or the nearest above, up to the root of the repository", async () => {
    const root = folderWith({
      "plait.config.yaml": retries(5),
      ".git/HEAD": "",
      "a/b/c": "",
      "x/plait.config.yaml": retries(6),
      "x/y/z": "",
    });
    expect(await retriesIn(root)).toBe(5);
    expect(await retriesIn(join(root, "a/b"))).toBe(5);
    expect(await retriesIn(join(root, "x/y"))).toBe(6);
    const { sources } = await load(join(root, "a/b"));
    expect([...sources.keys()]).toEqual(["../../plait.config.yaml"]);
  });

  test("none above the root of the repository, be .git a folder or a file", async () => {
    const outer = folderWith({
      "plait.config.yaml": retries(5),
      "repo/.git/HEAD": "",
      "tree/.git": "gitdir: x",
      "tree/a/b": "",
    });
    expect(await retriesIn(join(outer, "repo"))).toBe(base.retries);
    expect(await retriesIn(join(outer, "tree/a"))).toBe(base.retries);
  });

  test("none above the current folder outside a repository", async () => {
    const outer = folderWith({ "plait.config.yaml": retries(5), "a/b": "" });
    expect(await retriesIn(outer)).toBe(5);
    expect(await retriesIn(join(outer, "a"))).toBe(base.retries);
  });

  test("the project's is over the user's", async () => {
    const user = folderWith({ "plait/config.yaml": `${retries(7)}concurrency: 9\n` });
    const root = folderWith({ "plait.config.yaml": retries(5), ".git/HEAD": "" });
    const { config } = await load(root, { XDG_CONFIG_HOME: user });
    expect(config?.base).toMatchObject({ retries: 5, slots: 9 });
  });
});

describe("files that cannot be read", () => {
  const findings = async (cwd: string) => {
    const { config, diagnostics } = await load(cwd);
    expect(config).toBeNull();
    return diagnostics.map(
      ({ code, message, at }) => `${at?.file}:${at?.start.line}:${at?.start.col} ${code} ${message}`,
    );
  };

  test("too large: it is not read", async () => {
    const folder = folderWith({ "plait.config.yaml": `# ${"x".repeat(256 * 1024)}` });
    expect(await findings(folder)).toEqual([
      "plait.config.yaml:1:1 config-too-large the configuration is too large: at least 262146 bytes (limit: 262144)",
    ]);
  });

  test("a folder, bytes that are no text, links in a circle", async () => {
    const folder = folderWith({ "plait.config.yaml/x": "" });
    expect(await findings(folder)).toEqual([
      "plait.config.yaml:1:1 not-a-file the configuration path is a folder",
    ]);
    const binary = folderWith({ "plait.config.yaml": "a\0" });
    expect((await findings(binary))[0]).toContain("not-text the configuration is binary");
    const circle = folderWith({});
    symlinkSync("plait.config.yaml", join(circle, "plait.config.yaml"));
    expect((await findings(circle))[0]).toContain("file-unreadable the configuration cannot be read");
  });

  test("both at once", async () => {
    const user = folderWith({ "plait/config.yaml": "nope: 1\n" });
    const root = folderWith({ "plait.config.yaml": "nope: 1\n" });
    const { diagnostics, sources } = await load(root, { XDG_CONFIG_HOME: user });
    expect(diagnostics.map(({ at }) => at?.file)).toEqual([
      join(user, "plait/config.yaml"),
      "plait.config.yaml",
    ]);
    expect(sources.size).toBe(2);
  });
});

describe("the list of files that worktrees get", () => {
  test("lies at the root of the repository, beside the configuration, which it does not need", async () => {
    const text =
      "\ufeff# local\r\n\n.env.local\r\n  \n/config/*.key\n!config/shared.key\nwith\\ \\  \n[!]a]x\n";
    const root = folderWith({ ".worktreeinclude": text, ".git/HEAD": "", "a/.worktreeinclude": "not-this" });
    const { include, config, sources } = await load(join(root, "a"));
    expect(include).toEqual([".env.local", "/config/*.key", "!config/shared.key", "with\\ \\ ", "[!]a]x"]);
    expect(config).not.toBeNull();
    expect([...sources.keys()]).toEqual(["../.worktreeinclude"]);
  });

  test("is refused line by line, with the place", async () => {
    const bad = ["../x", "!../y", "a/../../z", "~/.ssh", ".git/config", "a\\", "x[a-", "/", "!", "a\u0001b"];
    const root = folderWith({ ".worktreeinclude": `.env\n${bad.join("\n")}\n`, ".git/HEAD": "" });
    const { config, diagnostics } = await load(root);
    expect(config).toBeNull();
    expect(diagnostics.map(({ code, at }) => `${at?.file}:${at?.start.line} ${code}`)).toEqual([
      ...[2, 3, 4, 5, 6].map((line) => `.worktreeinclude:${line} copy-escapes`),
      ...[7, 8, 9, 10, 11].map((line) => `.worktreeinclude:${line} bad-include`),
    ]);
    expect(diagnostics[0]?.message).toBe('.worktreeinclude copies `../x`, which contains ".."');
    expect(diagnostics[6]?.message).toBe(".worktreeinclude has the pattern `x[a-`, which has an unclosed [");
  });
});
