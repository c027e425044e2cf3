import type { EnvSettings } from "../config/env.ts";
import { jsonText } from "../report/json.ts";
import { type Glyphs, glyphs } from "./render/glyphs.ts";
import { type Line, paint, styled } from "./render/line.ts";
import type { Look } from "./render/run/look.ts";
import { asciiText, shown } from "./render/visible.ts";
import { wrapLine } from "./render/wrap-line.ts";
import { errorStream, resultStream, type StreamFacts, writeError, writeResult } from "./streams.ts";

/** How a command talks: `result` to stdout, `say` to stderr, each in the colours that its own stream can show. */
export type Output = {
  readonly glyphs: Glyphs;
  /** Of results. */
  readonly look: Required<Look>;
  readonly sayWidth: number;
  readonly result: (lines: readonly Line[]) => void;
  readonly say: (lines: readonly Line[]) => void;
  /** Something to know that stops nothing. */
  readonly warn: (...texts: readonly string[]) => void;
  /** One document for other programs. */
  readonly json: (document: unknown) => void;
  /** For other programs: SVG and the like, as it is. */
  readonly raw: (text: string) => void;
  /** For CI systems that read commands from the log. */
  readonly annotate: (text: string) => void;
};

export type OutputFlags = {
  /** `--color` and `--no-color`; undefined leaves it to the environment and the stream. */
  readonly color?: boolean | undefined;
  readonly ascii?: boolean | undefined;
};

export function openOutput(env: EnvSettings, flags: OutputFlags): Output {
  const columns = env.columns ?? null;
  const [stdout, stderr] = [resultStream(columns), errorStream(columns)];
  const look = flags.ascii === true || !env.unicode ? glyphs.ascii : glyphs.unicode;
  // Whoever renders has chosen signs and widths already; this is for messages that come from elsewhere.
  const text = (lines: readonly Line[], stream: StreamFacts) => {
    const painted = paint(lines, { colours: hasColours(stream, env, flags) });
    return look.ascii ? asciiText(painted) : painted;
  };
  const say = (lines: readonly Line[]) => writeError(text(fitted(lines, stderr), stderr));
  return {
    glyphs: look,
    look: { width: stdout.width, isUnbounded: stdout.isUnbounded, glyphs: look },
    sayWidth: stderr.width,
    result: (lines) => writeResult(text(lines, stdout)),
    say,
    warn: (...texts) => say(texts.map((one) => warningLine(one, look))),
    json: (document) => writeResult(jsonText(document, look)),
    raw: writeResult,
    annotate: writeError,
  };
}

export function warningLine(text: string, glyphs: Glyphs): Line {
  return [styled("yellow", "warning:"), ` ${shown(text, glyphs)}`];
}

/** For people to read; what another program reads has one line for each thing that is said. */
export function fitted(
  lines: readonly Line[],
  { isTerminal, width }: Pick<StreamFacts, "isTerminal" | "width">,
): readonly Line[] {
  return isTerminal ? lines.flatMap((line) => wrapLine(line, width)) : lines;
}

/** The flag decides, then the environment; else a terminal has colours, unless nobody watches it. */
export function hasColours(
  stream: Pick<StreamFacts, "isTerminal">,
  env: Pick<EnvSettings, "color" | "ci">,
  { color }: OutputFlags,
): boolean {
  if (color !== undefined) return color;
  if (env.color !== "auto") return env.color === "always";
  return stream.isTerminal && !env.ci;
}
