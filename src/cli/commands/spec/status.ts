import { relative } from "node:path";
import { moveTechSpec } from "../../../app/spec/move-tech-spec.ts";
import { findTechSpec, type KnownSpec, readTechSpecFile } from "../../../app/spec/tech-specs.ts";
import { defaultCaps } from "../../../config/settings.ts";
import { plait } from "../../../core/text/command.ts";
import type { SpecStatus } from "../../../spec/tech-spec/lifecycle.ts";
import type { TechSpec } from "../../../spec/tech-spec/tech-spec.ts";
import { unfinishedWarning } from "../../../spec/tech-spec/unfinished.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { printDiagnostics } from "../../plan-file.ts";
import { specDocument, techSpecLines } from "../../render/tech-specs.ts";
import type { Request, RunCommand } from "../../request.ts";
import { placeOf, today } from "./place.ts";

/** `plait spec status <id>`: shows the status of a tech spec; `--set` changes it. */
export const status: RunCommand = async (request) => {
  const { args, options } = request;
  const { host, root } = await placeOf(request, plait("spec status"));
  const question = { root, cwd: host.cwd, caps: defaultCaps };
  const { found } = granted(await findTechSpec(args[0] ?? "", question));
  const { spec } = found;
  const isBroken = found.diagnostics.some(({ severity }) => severity === "error");
  if (spec === null || isBroken || options.set === undefined) return printSpec(found, request, null);
  const { moved, before } = await moveOn({ ...found, spec }, options.set, host.cwd);
  return printSpec(moved, request, before);
};

type Before = { readonly file: string; readonly status: SpecStatus };

/** What it is now, and what it was. */
async function moveOn(found: KnownSpec & { readonly spec: TechSpec }, to: SpecStatus, cwd: string) {
  const { path } = granted(await moveTechSpec(found, { to, today: today(), caps: defaultCaps }));
  const file = relative(cwd, path);
  const now = await readTechSpecFile({ file, path }, defaultCaps);
  const unfinished = now.spec === null ? null : unfinishedWarning(now.spec);
  const diagnostics = [...now.diagnostics, ...(unfinished === null ? [] : [unfinished])];
  const before: Before = { file: found.file, status: found.spec.status };
  return { moved: { ...found, ...now, diagnostics, file, path, folderStatus: to }, before };
}

function printSpec(found: KnownSpec, request: Request, before: Before | null) {
  const { options, output } = request;
  const { diagnostics: findings, spec, file, text } = found;
  const ok = !findings.some(({ severity }) => severity === "error");
  const exit = ok ? exitCodes.ok : exitCodes.badRequest;
  if (options.json === true) output.json({ v: 1, ok, exit, spec: specDocument(found), before, findings });
  else if (spec !== null && ok) output.result(techSpecLines({ spec, file, before }, output));
  const sources = new Map(text === null ? [] : [[file, text] as const]);
  printDiagnostics(findings, sources, request, file);
  return exit;
}
