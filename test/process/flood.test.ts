import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useHost } from "./host.ts";
import { tempFolder } from "./support.ts";

const { PLAIT_FLOOD_MB = "50" } = process.env;
const host = useHost();
const MIB = 1024 * 1024;

// Fifty million empty lines take their time, and show no more than a fifth of them.
const megabytesOf = (kind: string): number => Number(PLAIT_FLOOD_MB) / (kind === "short lines" ? 5 : 1);

it.each([
  ["lines", { least: 200_000, cut: 0 }],
  ["one line", { least: 1, cut: Number(PLAIT_FLOOD_MB) * 1e6 - MIB }],
  ["short lines", { least: 1_000_000, cut: 0 }],
  ["binary", { least: 100_000, cut: 0 }],
])(
  `${PLAIT_FLOOD_MB} MB of output (%s) cost no more than 150 MB of memory and 8 MiB of disk (I10)`,
  async (kind, { least, cut }) => {
    const path = join(await tempFolder(), "log");
    const seen = await host("flood", kind, String(megabytesOf(kind)), path).next();
    expect(seen).toMatchObject({ code: 0, log: { failure: null } });
    const { lines, cutBytes, stdoutBytes, log, maxRssMb } = seen as {
      lines: number;
      cutBytes: number;
      stdoutBytes: number;
      maxRssMb: number;
      log: { bytes: number };
    };
    expect(stdoutBytes).toBeGreaterThanOrEqual(megabytesOf(kind) * 1e6);
    expect(log.bytes).toBe(stdoutBytes);
    expect((await stat(path)).size).toBeLessThanOrEqual(8 * MIB);
    expect(lines).toBeGreaterThanOrEqual(least);
    expect(cutBytes).toBeGreaterThanOrEqual(cut);
    expect(maxRssMb).toBeLessThan(150);
  },
);
