import { afterAll, afterEach } from "vitest";

/**
 * What a module that test files share has to do when a file or a test is over. Files that follow one another in a process load it
 * once, and hooks of its own would belong to the first of them alone.
 */
type End = () => void | Promise<void>;
const fileEnds: End[] = [];
const testEnds: End[] = [];

export function afterFile(end: End): void {
  fileEnds.push(end);
}

export function afterTest(end: End): void {
  testEnds.push(end);
}

/** The hooks of the file that comes now: each-file.ts calls it, which is run for every one. */
export function endFile(): void {
  afterEach(() => runAll(testEnds));
  afterAll(() => runAll(fileEnds));
}

async function runAll(ends: readonly End[]): Promise<void> {
  for (const end of [...ends].reverse()) await end();
}
