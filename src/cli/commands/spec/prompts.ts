import { join } from "node:path";
import {
  type CheckedPrompt,
  checkPrompts,
  type OpenedPrompts,
  openPrompts,
} from "../../../app/spec/open-folder.ts";
import { type Mended, regeneratePrompts, writePrompts } from "../../../app/spec/write-prompts.ts";
import type { Diagnostic } from "../../../core/source.ts";
import { plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import { fix } from "../../../core/text/sentence.ts";
import type { PromptFolder } from "../../../spec/prompt-folder.ts";
import { type ExitCode, exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { printDiagnostics, resolveCaps } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { Request, RunCommand } from "../../request.ts";
import { UsageError } from "../../request-error.ts";

/** `plait spec prompts <folder>`: generates prompts, or lists invalid ones. */
export const prompts: RunCommand = async (request) => {
  const { args, options } = request;
  const named = args[0] as string;
  if (options.fix === true && options.check !== true)
    throw new UsageError(
      "--fix needs --check",
      fix("add the flag", plait("spec prompts", named, { check: true, fix: true })),
    );
  const opened = await openPrompts(named, { cwd: process.cwd(), caps: resolveCaps(request) });
  if (opened.folder === null) return refused(opened, request);
  return options.check === true
    ? check(opened.folder, opened, request)
    : generate(opened.folder, opened, request);
};

function refused(opened: OpenedPrompts, request: Request): ExitCode {
  const findings = tell(opened.diagnostics, opened, request);
  const exit = exitCodes.badRequest;
  if (request.options.json === true) request.output.json({ v: 1, ok: false, exit, prompts: [], findings });
  return exit;
}

async function generate(folder: PromptFolder, opened: OpenedPrompts, request: Request): Promise<ExitCode> {
  const { args, options, output } = request;
  const named = args[0] as string;
  const findings = tell(opened.diagnostics, opened, request);
  const { files, isNew, backup } = granted(await writePrompts(folder, opened, new Date().toISOString()));
  const sizes = files.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text) }));
  const bytesOf = new Map(sizes.map(({ path, bytes }) => [path, bytes]));
  const exit = exitCodes.ok;
  if (options.json === true) {
    const told = folder.tasks.map(({ task, path }) => ({
      task: task.id,
      file: join(named, path),
      bytes: bytesOf.get(path),
    }));
    const before = backup && join(named, backup);
    output.json({ v: 1, ok: true, exit, changed: isNew, prompts: told, backup: before, findings });
    return exit;
  }
  const name = (path: string) => shown(join(named, path), output.glyphs);
  const total = count(folder.tasks.length, "prompt");
  output.result([
    ...(options.verbose === true
      ? sizes.map(({ path, bytes }) => [`${name(path)}: ${count(bytes, "byte")}`])
      : []),
    [`${name("prompts")}: ${total}, ${isNew ? "generated" : "unchanged"}`],
    ...(backup === null ? [] : [[`previous prompts: ${name(backup)}`]]),
    nextCommand(plait("validate", named)),
  ]);
  return exit;
}

async function check(folder: PromptFolder, opened: OpenedPrompts, request: Request): Promise<ExitCode> {
  const { args, options, output } = request;
  const named = args[0] as string;
  const checked = await checkPrompts(folder, opened);
  const bad = checked.filter(({ isValid }) => !isValid);
  const hasNone = checked.every(({ isThere }) => !isThere);
  const isFixed = options.fix === true && !hasNone && bad.length > 0;
  const mended = isFixed
    ? granted(await regeneratePrompts(folder, opened, { checked, now: new Date().toISOString() }))
    : NOTHING;
  const found = checked.flatMap((one) => (isFixed && !one.isValid ? asMended(one) : one.diagnostics));
  const findings = tell([...opened.diagnostics, ...found], opened, request);
  const failed = hasNone ? exitCodes.badRequest : exitCodes.incomplete;
  const exit = bad.length === 0 || isFixed ? exitCodes.ok : failed;
  if (options.json === true) {
    const told = checked.map(({ task, path, isValid }) => ({
      task,
      file: join(named, path),
      valid: isValid,
    }));
    const fixed = filesOf(mended).map(({ path, backup }) => ({
      file: join(named, path),
      backup: backup && join(named, backup),
    }));
    output.json({ v: 1, ok: exit === exitCodes.ok, exit, prompts: told, fixed, findings });
  } else tellChecked(checked, mended, request);
  return exit;
}

const NOTHING: Mended = { mended: [], overview: null };

const filesOf = ({ mended, overview }: Mended) => [...mended, ...(overview === null ? [] : [overview])];

/** Why it was generated again: there is nothing left to do. */
function asMended({ diagnostics }: CheckedPrompt): Diagnostic[] {
  return diagnostics.map((one) => ({ ...one, severity: "warning", hint: null }));
}

function tellChecked(
  checked: readonly CheckedPrompt[],
  mended: Mended,
  { args, options, output }: Request,
): void {
  const named = args[0] as string;
  const name = (path: string) => shown(join(named, path), output.glyphs);
  const good = checked.filter(({ isValid }) => isValid);
  const valid = good.length + mended.mended.length;
  const flags = good.length === 0 ? {} : { check: true, fix: true };
  output.result([
    ...(options.verbose === true ? good.map(({ path }) => [`${name(path)}: ok`]) : []),
    ...filesOf(mended).map(({ path, backup }) => [
      `${name(path)}: regenerated${backup === null ? "" : `, previous prompt: ${name(backup)}`}`,
    ]),
    [`${name("prompts")}: ${valid} of ${count(checked.length, "prompt")} valid`],
    ...(valid === checked.length ? [] : [nextCommand(plait("spec prompts", named, flags))]),
  ]);
}

function tell(found: readonly Diagnostic[], opened: OpenedPrompts, request: Request): readonly Diagnostic[] {
  printDiagnostics(found, opened.sources(), request, request.args[0] as string);
  return found;
}
