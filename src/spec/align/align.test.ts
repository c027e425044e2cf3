import { describe, expect, test } from "vitest";
import { fakeTools, type Shelf } from "../../../test/support/align-tools.ts";
import type { Diagnostic } from "../../core/source.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { indexText } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import { type Alignment, alignDependencies } from "./align.ts";
import { readProject } from "./project.ts";
import { wishesOfDesign } from "./wish.ts";

const caps = { maxPlanBytes: 1e6, maxDepth: 32, maxTasks: 10, maxPromptBytes: 1e6 };

function docOf(json: unknown): Doc {
  const text = JSON.stringify(json);
  const index = indexText("design.json", text);
  const { tree } = parseYaml(index, { part: { start: 0, end: text.length }, caps, json: true });
  if (tree === null) throw new Error(text);
  return { index, tree };
}

type Packages = { readonly python?: readonly string[]; readonly node?: readonly string[] };
type Case = {
  readonly all?: object;
  readonly tasks?: readonly Packages[];
  readonly files?: Readonly<Record<string, string>>;
  readonly shelf?: Partial<Shelf>;
};

async function align({ all = {}, tasks = [], files = {}, shelf = {} }: Case) {
  const design = {
    manifest: { dependencies: all },
    tasks: tasks.map((dependencies, i) => ({ id: `task-00${i + 1}`, dependencies })),
  };
  const project = readProject(Object.keys(files), new Map(Object.entries(files)));
  const { ask, asked } = fakeTools(shelf);
  const aligned = await alignDependencies(wishesOfDesign(docOf(design)), { ask, project, python: null });
  return { aligned, asked, said: aligned.diagnostics.map(say), rows: aligned.packages.map(row) };
}

const say = ({ severity, code, message, hint }: Diagnostic) => `${severity} ${code}: ${message} -> ${hint}`;
const row = ({ name, list, spec, from, askedBy }: Alignment["packages"][number]) =>
  `${name} <- ${askedBy.join(" ")}: ${list ?? "nothing"} ${spec} (${from})`;

const node = {
  "package.json": JSON.stringify({
    dependencies: { zod: "^3.22.0", kleur: "^3.0.0" },
    devDependencies: { vitest: "^2.0.0" },
  }),
  "package-lock.json": JSON.stringify({
    packages: {
      "node_modules/zod": { version: "3.24.1" },
      "node_modules/kleur": { version: "3.0.3" },
      "node_modules/vitest": { version: "2.1.0" },
      "node_modules/deep": { version: "1.1.0" },
    },
  }),
};

const npm = {
  zod: ["3.22.0", "3.24.1", "3.25.0", "4.0.0", "4.1.0-beta.1"],
  kleur: ["3.0.3", "4.0.0", "4.1.5"],
  vitest: ["2.1.0", "3.0.0"],
  deep: ["1.0.0", "1.1.0", "1.2.0"],
  fresh: ["1.9.0", "1.10.0", "2.0.0-rc.1"],
  "@s/tagged": { versions: ["1.0.0", "2.0.0"], tags: { latest: "1.0.0", next: "2.0.0" } },
};

describe("packages of Node", () => {
  test.each<[string, Case, string[]]>([
    [
      "what is locked and suits all is there already",
      { tasks: [{ node: ["zod@^3.20.0"] }, { node: ["zod@>=3.24"] }] },
      ["zod <- task-001 task-002: nothing zod@3.24.1 (lock)"],
    ],
    [
      "what is locked for somebody else is pinned to the same version",
      { tasks: [{ node: ["deep@^1.0.0"] }] },
      ["deep <- task-001: add deep@1.1.0 (lock)"],
    ],
    [
      "what is installed and too old is upgraded",
      { tasks: [{ node: ["kleur@^4"] }] },
      ["kleur <- task-001: upgrade kleur@4.1.5 (tool)"],
    ],
    [
      "what is for development stays so",
      { all: { node: { add_dev: ["vitest@^3"] } } },
      ["vitest <- the manifest: add_dev vitest@3.0.0 (tool)"],
    ],
    [
      "what is for development only is added for all",
      { tasks: [{ node: ["vitest@^2"] }] },
      ["vitest <- task-001: add vitest@2.1.0 (lock)"],
    ],
    [
      "and added, not upgraded, where it is too old",
      { tasks: [{ node: ["vitest@^3"] }] },
      ["vitest <- task-001: add vitest@3.0.0 (tool)"],
    ],
    [
      "what is new gets the newest stable version in all ranges",
      { tasks: [{ node: ["fresh"] }, { node: ["fresh@^1.9.0"] }] },
      ["fresh <- task-001 task-002: add fresh@1.10.0 (tool)"],
    ],
    [
      "an upgrade asks for the newest, though what is there would do",
      { all: { node: { upgrade: ["zod@^3"] } } },
      ["zod <- the manifest: upgrade zod@3.25.0 (tool)"],
    ],
    [
      "an upgrade of what is not there adds it",
      { all: { node: { upgrade: ["fresh"] } } },
      ["fresh <- the manifest: add fresh@1.10.0 (tool)"],
    ],
    [
      "the latest is the tagged one, and other tags are known",
      { tasks: [{ node: ["@s/tagged"] }], all: { node: { add: ["t@npm:@s/tagged@next"] } } },
      [
        "t <- the manifest: add t@npm:@s/tagged@2.0.0 (tool)",
        "@s/tagged <- task-001: add @s/tagged@1.0.0 (tool)",
      ],
    ],
    [
      "a pin that exists stays",
      { all: { node: { add: ["fresh@1.9.0"], remove: ["kleur"] } } },
      ["kleur <- the manifest: remove kleur (null)", "fresh <- the manifest: add fresh@1.9.0 (tool)"],
    ],
    [
      "an address is nobody's to choose",
      { all: { node: { add: [`a@github:x/a#${"0".repeat(40)}`] } } },
      [`a <- the manifest: add a@github:x/a#${"0".repeat(40)} (written)`],
    ],
  ])("%s", async (_, wishes, expected) => {
    const { rows, said } = await align({ files: node, shelf: { npm }, ...wishes });
    expect([rows, said]).toEqual([expected, []]);
  });

  test.each<[string, Case, string]>([
    [
      "ranges that exclude each other",
      { tasks: [{ node: ["zod@^3.22.0"] }, { node: ["zod@^4"] }] },
      "error dependency-conflict: task-001 requires `zod@^3.22.0` and task-002 requires `zod@^4`: no version satisfies both -> change `zod@^4` to a range that includes 3.24.1, which is installed (newest versions: 3.25.0 for `zod@^3.22.0` and 4.0.0 for `zod@^4`)",
    ],
    [
      "ranges with nothing between them that exists",
      { tasks: [{ node: ["fresh@>1.10.0"] }, { node: ["fresh@<2.0.0"] }] },
      "error dependency-conflict: task-001 requires `fresh@>1.10.0` and task-002 requires `fresh@<2.0.0`: no published version satisfies both -> use a range that includes a version from `1.9.0` to `1.10.0`",
    ],
    [
      "a version that does not exist",
      { tasks: [{ node: ["fresh@9.9.9"] }] },
      "error dependency-missing: no version of `fresh` satisfies `fresh@9.9.9` -> use a range that includes a version from `1.9.0` to `1.10.0`",
    ],
    [
      "a package that does not exist",
      { tasks: [{ node: ["freshh"] }] },
      "error dependency-missing: npm finds no package `freshh` -> check the name `freshh`; if its registry is private, log in to it first",
    ],
    [
      "a tag that does not exist",
      { tasks: [{ node: ["@s/tagged@beta"] }] },
      "error dependency-missing: `@s/tagged` has no tag `beta` -> use a range, or one of its tags: `latest` and `next`",
    ],
    [
      "a range that is none",
      { tasks: [{ node: ["zod@3..2"] }] },
      'error dependency-spec: the dependency `zod@3..2` has "3..2" where a version or a range should be -> use a name and a version: `pydantic==2.5.3` or `zod@3.22.4`',
    ],
    [
      "one name for two packages",
      { tasks: [{ node: ["a@npm:zod@^3"] }, { node: ["a@^1"] }] },
      "error dependency-conflict: `a` is required from two sources: `a@npm:zod@^3` and `a@^1` -> use the same source in both, such as `a@npm:zod@^3`",
    ],
    [
      "wanted and unwanted",
      { tasks: [{ node: ["kleur@^3"] }], all: { node: { remove: ["kleur"] } } },
      "error dependency-conflict: `kleur` is both required and removed -> delete `kleur` from one of the lists",
    ],
    [
      "going back",
      { tasks: [{ node: ["zod@<3.23"] }] },
      "warning dependency-downgrade: `zod` would be downgraded from 3.24.1 to 3.22.0 -> use a range that includes `3.24.1`, unless the downgrade is intended",
    ],
    [
      "an address without a commit",
      { all: { node: { add: ["a@github:x/a"] } } },
      "warning dependency-unpinned: the dependency `a@github:x/a` is not pinned to a version: its address names no commit -> pin its version, or fix that and align again: plait spec align <folder>",
    ],
  ])("told: %s", async (_, wishes, expected) => {
    const { said, aligned } = await align({ files: node, shelf: { npm }, ...wishes });
    expect(said).toEqual([expected]);
    const [found] = aligned.diagnostics;
    expect(found?.at?.start.line).toBe(1);
  });

  test("a conflict shows both places", async () => {
    const { aligned } = await align({ tasks: [{ node: ["zod@1"] }, { node: ["zod@2"] }], shelf: { npm } });
    const [{ at = null, related = [] } = {}] = aligned.diagnostics;
    expect(related).toHaveLength(1);
    expect(related[0]?.message).toBe("task-001 requires `zod@1`");
    expect(related[0]?.at.start.col).toBeLessThan(at?.start.col ?? 0);
  });

  test("without the tool a range stays and is named, a pin is one, and the tool is tried but a few times", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `p${i}@^1`);
    const { rows, said, asked } = await align({
      tasks: [{ node: ["fresh@^1", "pinned@1.2.3", "zod@^3"] }, { node: ["fresh@<1.10"] }, { node: names }],
      files: node,
    });
    expect(rows.slice(0, 3)).toEqual([
      "fresh <- task-001 task-002: add fresh@^1 <1.10 (null)",
      "pinned <- task-001: add pinned@1.2.3 (written)",
      "zod <- task-001: nothing zod@3.24.1 (lock)",
    ]);
    expect(said).toHaveLength(13);
    expect(said[0]).toMatch(/^warning dependency-unpinned: .*`fresh@\^1 <1.10`.*: npm is not on the PATH/);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test("a tool that hangs is waited for but a few times", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `slow${i}@^1`);
    const { said, asked } = await align({ tasks: [{ node: names }], shelf: { npm } });
    expect(said).toEqual(Array(12).fill(expect.stringContaining("npm did not answer within 30 seconds")));
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test("one that the tool cannot tell stays open, and the others are pinned", async () => {
    const { said, rows } = await align({ tasks: [{ node: ["broken@^1", "fresh@^1"] }], shelf: { npm } });
    expect(rows).toEqual([
      "broken <- task-001: add broken@^1 (null)",
      "fresh <- task-001: add fresh@1.10.0 (tool)",
    ]);
    expect(said).toEqual([
      expect.stringContaining("npm reported no versions: request failed, reason: ECONNREFUSED"),
    ]);
  });

  test("the lists of the manifest, and what needs nothing", async () => {
    const { aligned } = await align({
      all: { node: { add: ["zod@^3", "fresh"], remove: ["kleur", "never"], add_dev: ["deep"] } },
      files: node,
      shelf: { npm },
    });
    expect(aligned.dependencies).toEqual({
      node: { remove: ["kleur"], add: ["fresh@1.10.0"], add_dev: ["deep@1.1.0"] },
    });
    expect(aligned.notes).toEqual([
      "never is not a dependency of the project: nothing to remove",
      "zod 3.24.1 is installed already: nothing to add",
    ]);
  });
});

const python = {
  "pyproject.toml": `[project]\nrequires-python = ">=3.11"\ndependencies = ["fastapi>=0.110", "uvicorn", "pydantic<2.6", "plain"]\n`,
  "uv.lock": ["fastapi 0.115.6", "uvicorn 0.30.0", "pydantic 2.5.3", "starlette 0.41.0"]
    .map((line) => `[[package]]\nname = "${line.split(" ")[0]}"\nversion = "${line.split(" ")[1]}"\n`)
    .join("\n"),
};

const pypi: Shelf["pypi"] = {
  fastapi: { versions: ["0.110.0", "0.115.6", "0.116.0"] },
  httpx: { versions: ["0.27.0", "0.27.2", "1.0.dev1"] },
  uvicorn: { versions: ["0.30.0", "0.34.0"] },
  sqlmodel: { versions: ["0.0.22"], needs: ["pydantic>=2.7"] },
  tomli: { versions: ["2.0.1"] },
  pydantic: { versions: ["2.5.3", "2.9.0"] },
};

describe("packages of Python", () => {
  test.each<[string, Case, string[]]>([
    [
      "what is locked and suits is there already; an extra that is not is added",
      { tasks: [{ python: ["FastAPI>=0.100"] }, { python: ["uvicorn[standard]>=0.20"] }] },
      [
        "FastAPI <- task-001: nothing FastAPI==0.115.6 (lock)",
        "uvicorn <- task-002: add uvicorn[standard]==0.30.0 (lock)",
      ],
    ],
    [
      "what is new is named by uv, and too old is upgraded",
      { tasks: [{ python: ["httpx>=0.27"] }, { python: ["httpx<1", "fastapi>=0.116"] }] },
      [
        "httpx <- task-001 task-002: add httpx==0.27.2 (tool)",
        "fastapi <- task-002: upgrade fastapi==0.116.0 (tool)",
      ],
    ],
    [
      "a marker stays, and does not keep it from being pinned",
      { tasks: [{ python: ["tomli>=2; python_version < '3.11'"] }] },
      ["tomli <- task-001: add tomli==2.0.1; python_version < '3.11' (tool)"],
    ],
  ])("%s", async (_, wishes, expected) => {
    const { rows, said } = await align({ files: python, shelf: { pypi }, ...wishes });
    expect([rows, said]).toEqual([expected, []]);
  });

  test("uv is asked once for all, with what the project has, and told to build and change nothing", async () => {
    const { asked } = await align({
      tasks: [{ python: ["httpx>=0.27", "fastapi"] }, { python: ["httpx[http2]<1"] }],
      all: { python: { remove: ["uvicorn"] } },
      files: python,
      shelf: { pypi },
    });
    expect(asked).toEqual([
      {
        argv: [
          ...["uv", "pip", "compile", "-", "--no-header", "--no-annotate", "--no-build"],
          ...["--python-version", "3.11"],
          ...["--constraint", { file: "constraints.txt" }, "--output-file", { file: "requirements.txt" }],
        ],
        stdin: "httpx[http2]>=0.27\nhttpx[http2]<1\nfastapi==0.115.6\n",
        files: {
          "constraints.txt": "pydantic<2.6\n",
          "requirements.txt": "pydantic==2.5.3\nstarlette==0.41.0\n",
        },
      },
    ]);
  });

  test.each<[string, Case, RegExp[]]>([
    [
      "ranges that exclude each other",
      { tasks: [{ python: ["fastapi<0.112"] }, { python: ["fastapi>=0.115"] }] },
      [
        /^error dependency-conflict: task-001 requires `fastapi<0.112` and task-002 requires `fastapi>=0.115`: no version satisfies both -> change `fastapi<0.112` to a range that includes 0.115.6, which is installed \(newest versions: 0.110.0 for `fastapi<0.112` and 0.116.0 for `fastapi>=0.115`\)$/,
      ],
    ],
    [
      "one that cannot be had does not put the blame on the others",
      { tasks: [{ python: ["tomli", "httpx>=9"] }, { python: ["nonsense-package"] }] },
      [
        /^error dependency-missing: uv finds no version for `httpx>=9` -> change `httpx>=9`; uv reports: Because only httpx<=1.0.dev1 is available/,
        /^error dependency-missing: uv finds no version for `nonsense-package` -> change `nonsense-package`; uv reports: Because nonsense-package was not found in the package registry/,
      ],
    ],
    [
      "one that does not go with what the project has",
      { tasks: [{ python: ["sqlmodel"] }, { python: ["httpx"] }] },
      [
        /^error dependency-conflict: uv finds no versions of `sqlmodel` and `httpx` that work together and with the project -> change `sqlmodel` or `httpx`; uv reports: Because .*pydantic/,
      ],
    ],
    [
      "no uv",
      { tasks: [{ python: ["httpx>=0.27", "httpx==0.27.*", "tomli==2.0.1"] }], shelf: {} },
      [
        /^warning dependency-unpinned: .*`httpx>=0.27,==0.27.\*` is not pinned to a version: uv is not on the PATH/,
      ],
    ],
  ])("told: %s", async (_, wishes, expected) => {
    const { said } = await align({ files: python, shelf: { pypi }, ...wishes });
    expect(said).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});
