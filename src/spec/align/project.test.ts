import { describe, expect, test } from "vitest";
import { tooMuchGrowth } from "../../../test/support/growth.ts";
import { readProject } from "./project.ts";
import { tomlEntries } from "./toml-lines.ts";

type Texts = Readonly<Record<string, string>>;

function told(texts: Texts, ecosystem: "python" | "node") {
  const names = Object.keys(texts);
  const { tool, installed } = readProject(names, new Map(Object.entries(texts)))[ecosystem];
  const direct = Array.from(installed.direct, ([key, { version, range, isDev, extras }]) =>
    [
      key,
      ...extras.map((extra) => `+${extra}`),
      range ?? "?",
      version ?? "-",
      ...(isDev ? ["dev"] : []),
    ].join(" "),
  );
  const locked = Array.from(installed.locked, ([key, versions]) => `${key} ${versions.join(" ")}`);
  return { tool, lockFile: installed.lockFile, direct: direct.toSorted(), locked: locked.toSorted() };
}

const packageJson = JSON.stringify({
  dependencies: { zod: "^3.22.0", kleur: "^3.0.0" },
  devDependencies: { "@types/semver": "^7.5.0", linked: "file:../x" },
});
const direct = [
  "@types/semver ^7.5.0 7.8.0 dev",
  "kleur ^3.0.0 3.0.3",
  "linked ? - dev",
  "zod ^3.22.0 3.25.76",
];
const locked = ["@types/semver 7.8.0", "kleur 3.0.3 4.1.5", "zod 3.25.76"];

const npm3 = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    "": { name: "shop", dependencies: { zod: "^3.22.0" } },
    "node_modules/@types/semver": { version: "7.8.0", dev: true },
    "node_modules/kleur": { version: "3.0.3" },
    "node_modules/other/node_modules/kleur": { version: "4.1.5" },
    "node_modules/linked": { resolved: "../x", link: true },
    "node_modules/zod": { version: "3.25.76" },
  },
});

const pnpm9 = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

importers:

  .:
    dependencies:
      kleur:
        specifier: ^3.0.0
        version: 3.0.3
      zod:
        specifier: ^3.22.0
        version: 3.25.76(react@18.2.0)
    devDependencies:
      '@types/semver':
        specifier: ^7.5.0
        version: 7.8.0
      linked:
        specifier: file:../x
        version: link:../x

  packages/a:
    deprecated: |-
       NOTE: its author laid this out, not pnpm
    dependencies:
      zod:
        specifier: ^2.0.0
        version: 2.0.0

packages:

  '@types/semver@7.8.0':
    resolution: {integrity: sha512-1m==}

  kleur@3.0.3:
    resolution: {integrity: sha512-eT==}
    engines: {node: '>=6'}

  kleur@4.1.5:
    resolution: {integrity: sha512-eT==}

  zod@3.25.76:
    resolution: {integrity: sha512-gz==}
    peerDependencies:
      react: 17.0.0

snapshots:

  kleur@3.0.3: {}
`;

const pnpm5 = `lockfileVersion: 5.4

specifiers:
  zod: ^3.22.0

dependencies:
  kleur: 3.0.3
  zod: 3.25.76_react@18.2.0

devDependencies:
  '@types/semver': 7.8.0

packages:

  /@types/semver/7.8.0:
    resolution: {integrity: sha512-1m==}
    dev: true

  /kleur/3.0.3:
    dev: false

  /kleur/4.1.5:
    dev: false

  /zod/3.25.76_react@18.2.0:
    dependencies:
      react: 18.2.0
`;

const classic = `# yarn lockfile v1


"@types/semver@^7.5.0":
  version "7.8.0"
  resolved "x"

kleur@^3.0.0, kleur@^3.0.2:
  version "3.0.3"
  dependencies:
    a "^1.0.0"

kleur@^4.0.0:
  version "4.1.5"

zod@^3.22.0:
  version "3.25.76"
`;

const berry = `__metadata:
  version: 10
  cacheKey: 10c0

"@types/semver@npm:^7.5.0":
  version: 7.8.0
  resolution: "@types/semver@npm:7.8.0"
  linkType: hard

"kleur@npm:^3.0.0, kleur@npm:^3.0.2":
  version: 3.0.3

"kleur@npm:^4.0.0":
  version: 4.1.5

"shop@workspace:.":
  version: 0.0.0-use.local

"zod@npm:^3.22.0":
  version: 3.25.76
`;

describe("a Node project", () => {
  test.each<[string, Texts, string]>([
    ["npm", { "package-lock.json": npm3 }, "npm"],
    ["pnpm", { "pnpm-lock.yaml": pnpm9 }, "pnpm"],
    ["an older pnpm", { "pnpm-lock.yaml": pnpm5 }, "pnpm"],
    ["yarn", { "yarn.lock": classic }, "yarn"],
    ["a newer yarn", { "yarn.lock": berry, ".yarnrc.yml": "" }, "berry"],
  ])("of %s: what it names, at which versions, and what else is locked", (_, lock, tool) => {
    const [lockFile = ""] = Object.keys(lock);
    expect(told({ "package.json": packageJson, ...lock }, "node")).toEqual({
      tool,
      lockFile,
      direct,
      locked,
    });
  });

  test("of an old npm, whose lock file has names", () => {
    const lock = JSON.stringify({ lockfileVersion: 1, dependencies: { zod: { version: "3.25.76" } } });
    expect(told({ "package.json": packageJson, "package-lock.json": lock }, "node").locked).toEqual([
      "zod 3.25.76",
    ]);
  });

  test("without a lock file has what it pins by hand, and broken files say nothing", () => {
    const pins = JSON.stringify({ dependencies: { zod: "3.22.4", a: "^1" } });
    expect(told({ "package.json": pins }, "node")).toMatchObject({
      tool: "npm",
      lockFile: null,
      direct: ["a ^1 -", "zod 3.22.4 3.22.4"],
      locked: ["zod 3.22.4"],
    });
    expect(told({ "package.json": "{", "package-lock.json": "[1]" }, "node")).toMatchObject({
      direct: [],
      locked: [],
    });
  });
});

const pyproject = `[build-system]
requires = ["hatchling"]

[project]
name = "shop" # not "store"
requires-python = ">=3.11,<4"
dependencies = [
  "fastapi>=0.110", # the web
  'uvicorn[standard]~=0.30',
  "tomli>=2; python_version < '3.11'",
  "own @ git+https://example.org/own#main",
]

[project.optional-dependencies]
docs = ["mkdocs"]

[dependency-groups]
dev = ["pytest>=8", {include-group = "lint"}]
lint = ["ruff==0.6.0"]
`;

const uvLock = `version = 1
requires-python = ">=3.11"

[[package]]
name = "fastapi"
version = "0.115.6"
source = { registry = "https://example.org/simple" }
dependencies = [
    { name = "starlette", extra = ["full"] },
]
wheels = [
    { url = "https://example.org/fastapi-0.115.6.whl", hash = "sha256:0" },
]

[[package]]
name = "Ruff"
version = "0.6.0"

[[package]]
name = "numpy"
version = "1.26.4"

[[package]]
name = "numpy"
version = "2.1.0"

[package.metadata]
requires-dist = [{ name = "x", specifier = ">=1" }]
`;

describe("a Python project", () => {
  test("of uv: what it names, for all and for development, and what is locked", () => {
    expect(
      told({ "pyproject.toml": pyproject, "uv.lock": uvLock, "requirements.txt": "flask" }, "python"),
    ).toEqual({
      tool: "uv",
      lockFile: "uv.lock",
      direct: [
        "fastapi >=0.110 0.115.6",
        "own ? -",
        "pytest >=8 - dev",
        "ruff ==0.6.0 0.6.0 dev",
        "tomli >=2 -",
        "uvicorn +standard ~=0.30 -",
      ],
      locked: ["fastapi 0.115.6", "numpy 1.26.4 2.1.0", "ruff 0.6.0"],
    });
  });

  test("of poetry, whose ranges are its own", () => {
    const poetry = `[tool.poetry.dependencies]\npython = "^3.11"\nFastAPI = "^0.110"\nhttpx = { version = "^0.27", extras = ["http2"] }\n\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\n`;
    const lock = `[[package]]\nname = "fastapi"\nversion = "0.110.3"\n`;
    expect(told({ "pyproject.toml": poetry, "poetry.lock": lock }, "python")).toMatchObject({
      lockFile: "poetry.lock",
      direct: ["fastapi ? 0.110.3", "httpx ? -", "pytest ? - dev"],
    });
  });

  test("of requirements, where pyproject.toml is for other tools only", () => {
    const texts = {
      "pyproject.toml": "[tool.ruff]\nline-length = 100\n",
      "requirements.txt":
        "# all\n-r more.txt\nflask==3.0.0 \\\n    --hash=sha256:0\nrequests>=2  # http\nbad spec here\n",
    };
    expect(told(texts, "python")).toMatchObject({
      lockFile: null,
      direct: ["flask ==3.0.0 3.0.0", "requests >=2 -"],
      locked: ["flask 3.0.0"],
    });
    const withLock = told({ ...texts, "requirements.lock": "flask==3.0.1\nrequests==2.32.0\n" }, "python");
    expect(withLock).toMatchObject({
      lockFile: "requirements.lock",
      locked: ["flask 3.0.1", "requests 2.32.0"],
    });
  });

  test("the oldest Python that it is for", () => {
    const { python } = readProject([], new Map([["pyproject.toml", pyproject]])).python.installed;
    expect(python).toBe("3.11");
  });
});

test("long files are read in time that grows with their length", async () => {
  const sizes = { from: 625, to: 40_000 };
  expect(await tooMuchGrowth((size) => tomlEntries(`a = [\n${"[],\n".repeat(size)}`), sizes)).toBeNull();
  const read = (name: string, text: string) => readProject([name], new Map([[name, text]]));
  expect(
    await tooMuchGrowth((size) => read("pnpm-lock.yaml", `packages:\n${"  a@1:\n".repeat(size)}`), sizes),
  ).toBeNull();
});
