import { expect, test } from "vitest";
import { gateScripts, withPackages } from "./gate-scripts.ts";
import { changedScripts } from "./package-scripts.ts";

const runs = (line: string, dir: string | null = null) => {
  const { files, packages } = gateScripts([{ run: { kind: "shell", line }, dir }]);
  const scripts = [...packages].flatMap(([file, names]) => [...names].map((name) => `${file}#${name}`));
  return [...files, ...scripts];
};

test.each<[line: string, run: string[]]>([
  ["./scripts/check.sh --fast", ["scripts/check.sh"]],
  ["scripts/check.sh", ["scripts/check.sh"]],
  ["bash ci/test.sh", ["ci/test.sh"]],
  ["sh -eu -o pipefail ./ci/test.sh src/a.test.sh", ["ci/test.sh"]],
  ["node scripts/x.mjs --all", ["scripts/x.mjs"]],
  ["node --import tsx -r ./hook.js scripts/x.ts", ["scripts/x.ts"]],
  ["python3.12 -W error tools/check.py src", ["tools/check.py"]],
  ["CI=1 FORCE_COLOR='1 2' node ./a.js && python b.py; ruby c.rb | tee out.txt", ["a.js", "b.py", "c.rb"]],
  ["if ./a.sh; then echo yes; else bash 'b c.sh'; fi", ["a.sh", "b c.sh"]],
  ["bash -lc 'cd web && ./check.sh'", ["web/check.sh"]],
  ["cd web && node check.mjs && cd .. && ./top.sh", ["web/check.mjs", "top.sh"]],
  ["(cd web; ./in.sh) && ./out.sh", ["web/in.sh", "out.sh"]],
  ["timeout -k 5 60 ./slow.sh 2>&1 >log/out.sh", ["slow.sh"]],
  ["env -u X A=b npx --yes tsx scripts/x.ts", ["scripts/x.ts"]],
  ["uv run --with rich python tools/a.py && poetry run ./b.py", ["tools/a.py", "b.py"]],
  ["source ./env.sh && . lib/more.sh", ["env.sh", "lib/more.sh"]],
  ["bun run scripts/a.ts && deno run -A b.ts", ["scripts/a.ts", "b.ts"]],
  ["make -C web check", ["web/Makefile", "web/makefile", "web/GNUmakefile"]],
  ["make -f ci/gate.mk", ["ci/gate.mk"]],
  ["./gradlew test", ["gradlew"]],
  ["# a; ./not.sh\n./yes.sh # b; ./no.sh", ["yes.sh"]],
  ["./a.sh \\\n  --long", ["a.sh"]],
  ["npm test", ["package.json#test"]],
  ["npm -s run check -- --all", ["package.json#check"]],
  [
    "npm --prefix web t && yarn lint && pnpm -C api run types",
    ["web/package.json#test", "package.json#lint", "api/package.json#types"],
  ],
  ["node --run test && bun run check", ["package.json#test", "package.json#check"]],
])("a gate `%s` runs these files of the tree", (line, run) => {
  expect(runs(line)).toEqual(run);
});

test.each([
  "vitest run test/a.test.ts",
  "pytest tests/test_a.py",
  "node --test test/a.test.js",
  "node -e 'require(\"./a.js\")'",
  "python -m pytest tests/test_a.py",
  "python -c 'import a'",
  "npx tsc -p tsconfig.json",
  "go test ./... && cargo test",
  "npm ci && npx eslint . && npm -w web test && bun test ./a.ts",
  "test -f scripts/a.sh && [ -f b.sh ]",
  "grep -q x scripts/a.sh",
  '$TOOL/check.sh; bash $X; bash "$DIR/x.sh"; ./*.sh',
  "$(dirname x)/check.sh",
  "/usr/bin/check.sh; ~/check.sh; ../check.sh; bash ../../x.sh",
  'cd "$X" && ./check.sh',
  "cat <<END\n./no.sh\nEND",
  "echo './a.sh' > ./b.sh",
  "",
])("a gate `%s` runs none that plait could name", (line) => {
  expect(runs(line)).toEqual([]);
});

test("a gate runs from its own folder, as a line or as arguments", () => {
  expect(runs("./check.sh && npm test", "packages/web/")).toEqual([
    "packages/web/check.sh",
    "packages/web/package.json#test",
  ]);
  const argv = ["bash", "-c", "node 'a b.mjs'"];
  expect([...gateScripts([{ run: { kind: "argv", argv }, dir: "x" }]).files]).toEqual(["x/a b.mjs"]);
});

test("shells in shells are read as deep as people write them, and no deeper", () => {
  const nested = (depth: number): string =>
    depth === 0 ? "./a.sh" : `bash -c ${JSON.stringify(nested(depth - 1))}`;
  expect(runs(nested(2))).toEqual(["a.sh"]);
  expect(runs(nested(9))).toEqual([]);
});

const scripts = (all: object) => JSON.stringify({ name: "x", scripts: all });
const was = {
  test: "npm run -s unit && yarn lint",
  unit: "vitest",
  lint: "eslint .",
  dev: "vite",
  posttest: "a",
};

test.each<[what: string, now: string | null, changed: string[]]>([
  ["nothing", JSON.stringify({ scripts: was, dependencies: { left: "1" } }, null, 4), []],
  ["a script that no gate comes to", scripts({ ...was, dev: "vite --open", build: "tsc" }), []],
  ["the script itself", scripts({ ...was, test: "true" }), ["test"]],
  ["one that it runs", scripts({ ...was, unit: "vitest --passWithNoTests" }), ["unit"]],
  ["one by another name", scripts({ ...was, lint: undefined }), ["lint"]],
  [
    "what runs before and after it",
    scripts({ ...was, pretest: "rm -rf test", posttest: "b" }),
    ["pretest", "posttest"],
  ],
  ["all of it", "{", ["test", "posttest", "unit", "lint"]],
  ["the whole file", null, ["test", "posttest", "unit", "lint"]],
])("of package.json changes %s", (_, now, changed) => {
  expect(changedScripts(scripts(was), now, ["test", "none"])).toEqual(changed);
});

test("what the scripts of a package.json run is run by the gate, from where that file lies", () => {
  const gates = gateScripts([{ run: { kind: "shell", line: "npm run check && ./a.sh" }, dir: "web" }]);
  const text = scripts({
    check: "npm run -s lint && node tools/check.mjs",
    lint: "./lint.sh",
    dev: "./dev.sh",
  });
  const { files } = withPackages(gates, (file) => (file === "web/package.json" ? text : null));
  expect([...files]).toEqual(["web/a.sh", "web/tools/check.mjs", "web/lint.sh"]);
  expect([...withPackages(gates, () => "no JSON").files]).toEqual(["web/a.sh"]);
});

test("a script that was not there is nobody's to guard", () => {
  expect(changedScripts("{}", scripts(was), ["test"])).toEqual([]);
  expect(changedScripts("{", scripts(was), ["test"])).toEqual([]);
  expect(changedScripts(scripts({ dev: "x" }), scripts(was), ["test"])).toEqual([]);
});
