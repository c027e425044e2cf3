import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { formatTyped, linkCommands, unlinkCommands } from "./command-links.ts";

const root = mkdtempSync(join(tmpdir(), "plait-links-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PROGRAM = ["/bin/echo", "it's", "plait"];

test("each name starts plait under that name, with the words behind it", async () => {
  const folder = join(root, "new", "bin");
  const linked = await linkCommands({ folder, names: ["cpo", "cast-parallel"], program: PROGRAM });
  expect(linked).toEqual({ ok: true, paths: [join(folder, "cpo"), join(folder, "cast-parallel")] });
  const said = execFileSync(join(folder, "cpo"), ["run", "a b"], {
    env: { PATH: "/nowhere" },
    encoding: "utf8",
  });
  expect(said).toBe("it's plait cpo run a b\n");

  writeFileSync(join(folder, "plait"), '#!/bin/sh\necho new "$@"\n', { mode: 0o755 });
  const newer = execFileSync(join(folder, "cpo"), ["x"], { env: { PATH: folder }, encoding: "utf8" });
  expect(newer).toBe("new cpo x\n");
});

test("a program of somebody else stays, and then nothing is written", async () => {
  const folder = join(root, "taken");
  await linkCommands({ folder, names: ["cpo"], program: PROGRAM });
  writeFileSync(join(folder, "po"), "#!/bin/sh\n");
  const refused = await linkCommands({ folder, names: ["new", "po"], program: PROGRAM });
  expect(refused).toMatchObject({ ok: false, refusal: { kind: "request" } });
  expect(readdirSync(folder).sort()).toEqual(["cpo", "po"]);
  expect(await unlinkCommands({ folder, names: ["cpo", "po", "new"] })).toEqual({
    paths: [join(folder, "cpo")],
  });
  expect(readFileSync(join(folder, "po"), "utf8")).toBe("#!/bin/sh\n");
});

test("a link is somebody's, also one that leads nowhere", async () => {
  const folder = join(root, "linked");
  await linkCommands({ folder, names: ["po"], program: PROGRAM });
  symlinkSync(join(root, "nowhere"), join(folder, "cpo"));
  expect(await linkCommands({ folder, names: ["cpo"], program: PROGRAM })).toMatchObject({ ok: false });
  expect(existsSync(join(root, "nowhere"))).toBe(false);
});

test("hints name a command that exists as typed: the name where plait has linked it, else behind plait", async () => {
  const [own, other] = [join(root, "own"), join(root, "other")];
  await linkCommands({ folder: own, names: ["cpo"], program: PROGRAM });
  await linkCommands({ folder: other, names: ["po"], program: PROGRAM });
  writeFileSync(join(other, "cpo"), "#!/bin/sh\n", { mode: 0o755 });
  expect(await formatTyped("cpo", { PATH: own })).toBe("cpo");
  expect(await formatTyped("cpo", { PATH: `${other}:${own}` })).toBe("plait cpo");
  expect(await formatTyped("cpo", {})).toBe("plait cpo");
});

test("again is fine", async () => {
  const folder = join(root, "again");
  for (const word of ["old", "new"])
    await linkCommands({ folder, names: ["cpo"], program: ["/bin/echo", word] });
  expect(readFileSync(join(folder, "cpo"), "utf8")).toContain("exec /bin/echo new cpo");
});
