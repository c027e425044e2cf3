import type { EnvSettings } from "../config/env.ts";
import { type Glyphs, glyphs } from "./render/glyphs.ts";
import { jsonText } from "./render/json.ts";
import { type Line, paint } from "./render/line.ts";
import { asciiText } from "./render/visible.ts";
import { wrapLine } from "./render/wrap-line.ts";
import { errorStream, resultStream, type StreamFacts, writeError, writeResult } from "./streams.ts";

/** How a command talks: `result` to stdout, `say` to stderr, each in the colours that its own stream can show. */
export type Output = {
  readonly glyphs: Glyphs;
  readonly resultWidth: number;
  readonly isResultUnbounded: boolean;
  readonly sayWidth: number;
  readonly result: (lines: readonly Line[]) => void;
  readonly say: (lines: readonly Line[]) => void;
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
  return {
    glyphs: look,
    resultWidth: stdout.width,
    isResultUnbounded: stdout.isUnbounded,
    sayWidth: stderr.width,
    result: (lines) => writeResult(text(lines, stdout)),
    say: (lines) => writeError(text(fitted(lines, stderr), stderr)),
    json: (document) => writeResult(jsonText(document, look)),
    raw: writeResult,
    annotate: writeError,
  };
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
