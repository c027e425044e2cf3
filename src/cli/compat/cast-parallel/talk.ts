import type { EnvSettings } from "../../../config/env.ts";
import { hasColours, type Output } from "../../output.ts";
import { bold, dim, type Line, paint, type Style, styled } from "../../render/line.ts";
import { shown } from "../../render/visible.ts";
import { errorStream, patientStream, resultStream, settleSoon } from "../../streams.ts";

/** The lines of cast-parallel, as scripts know them: news on stdout, what went wrong on stderr. */
export type Talk = {
  readonly header: (text: string) => void;
  readonly detail: (text: string) => void;
  readonly plain: (text: string) => void;
  readonly info: (text: string) => void;
  readonly success: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly error: (text: string) => void;
  /** Lines of others, as they are, on stderr. */
  readonly quote: (lines: readonly string[]) => void;
  readonly lines: (lines: readonly Line[]) => void;
  /** Everything is on its way, or nobody reads it. */
  readonly settled: () => Promise<void>;
};

/** Behind findings, which begin as plait has them: who looks for ERROR lines finds one. */
export const NOT_STARTED = "Nothing was started. Fix the errors above.";

const PREFIX = "[cast-parallel]";

/** While a run goes on a reader that does not read must not stop it, so all is written patiently, and in one order. */
export function castTalk(env: EnvSettings, { glyphs }: Output): Talk {
  const streams = { stdout: patientStream("stdout"), stderr: patientStream("stderr") };
  const colours = {
    stdout: hasColours(resultStream(env.columns), env, {}),
    stderr: hasColours(errorStream(env.columns), env, {}),
  };
  let last: Promise<void> = Promise.resolve();
  const write = (name: "stdout" | "stderr", lines: readonly Line[]): void => {
    const text = paint(lines, { colours: colours[name] });
    // A reader that has gone is no failure.
    last = last.then(() => new Promise((resolve) => void streams[name].write(text, () => resolve())));
  };
  const clean = (text: string) => shown(text, glyphs);
  const prefixed = (name: "stdout" | "stderr", style: Style, mark: string) => (text: string) =>
    write(name, [[styled(style, mark), text === "" ? "" : ` ${clean(text)}`]]);
  return {
    header: (text) => write("stdout", [[], [bold(clean(text))]]),
    detail: (text) => write("stdout", [[dim(clean(text))]]),
    plain: (text) => write("stdout", [[clean(text)]]),
    info: prefixed("stdout", "cyan", PREFIX),
    success: prefixed("stdout", "green", PREFIX),
    warn: prefixed("stderr", "yellow", `${PREFIX} WARN:`),
    error: prefixed("stderr", "red", `${PREFIX} ERROR:`),
    quote: (lines) =>
      write(
        "stderr",
        lines.map((line) => [clean(line)]),
      ),
    lines: (lines) => write("stderr", lines),
    settled: () => settleSoon(last),
  };
}

/** Exit codes of cast-parallel: a run that failed is not told from one that could not begin, and 128 is what git says outside a repository. */
export const castCodes = { ok: 0, failed: 1, usage: 2, noRepository: 128 } as const;
