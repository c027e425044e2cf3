import type { EnvSettings } from "../config/env.ts";
import { type Glyphs, glyphs } from "./render/glyphs.ts";
import { type Line, paint } from "./render/line.ts";
import { errorStream, resultStream, type StreamFacts, writeError, writeResult } from "./streams.ts";

/** How a command talks: `result` to stdout, `say` to stderr, each in the colours that its own stream can show. */
export type Output = {
  readonly glyphs: Glyphs;
  readonly resultWidth: number;
  readonly sayWidth: number;
  readonly result: (lines: readonly Line[]) => void;
  readonly say: (lines: readonly Line[]) => void;
  /** For other programs: JSON, SVG and the like, as it is. */
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
  const [stdout, stderr] = [resultStream(), errorStream()];
  return {
    glyphs: flags.ascii === true || !env.unicode ? glyphs.ascii : glyphs.unicode,
    resultWidth: stdout.width,
    sayWidth: stderr.width,
    result: (lines) => writeResult(paint(lines, { colours: hasColours(stdout, env, flags) })),
    say: (lines) => writeError(paint(lines, { colours: hasColours(stderr, env, flags) })),
    raw: writeResult,
    annotate: writeError,
  };
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
