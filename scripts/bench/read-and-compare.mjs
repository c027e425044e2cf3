// A large project held against its contracts, which it keeps. As a program, with the size as its argument, it is watched from outside.
import { argv } from "node:process";
import { compareContracts } from "../../dist/lib/spec/integrate/compare.js";
import { readCode } from "../../dist/lib/spec/integrate/read-code.js";
import { largeProject, sourceProject } from "../../test/support/large-project/index.mjs";
import { isMain } from "../tools.mjs";

export async function readAndCompare({ files, contracts, touched }) {
  const project = sourceProject(files);
  const { types, endpoints, findings } = await compareContracts({
    ...{ project, contracts, touched },
    before: async () => null,
  });
  const verdicts = [...(types ?? []), ...(endpoints ?? [])];
  const wrong = [...findings, ...verdicts.flatMap((verdict) => verdict.findings)];
  if (verdicts.length < 100 || wrong.length > 0)
    throw new Error(`${verdicts.length} verdicts, and ${JSON.stringify(wrong.slice(0, 3))}`);
}

/** Types and routes of all files, compared with nothing. */
export async function readAll({ files }) {
  const { python, script } = await readCode(sourceProject(files), new Set(["python", "script"]));
  const unread = [...python.unread, ...script.unread];
  if (unread.length > 0) throw new Error(`not read: ${JSON.stringify(unread[0])}`);
}

if (isMain(import.meta.url)) await readAndCompare(largeProject({ size: Number(argv[2] ?? 1) }));
