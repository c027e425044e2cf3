import { findSystemHint } from "../app/system-problem.ts";
import { exitCodes } from "./exit-codes.ts";
import { failWriting, isStuck, writeError, writeResult } from "./streams.ts";
import { version } from "./version.ts";

/**
 * The program. Start-up time is felt with every command, so the version is answered before anything else is loaded,
 * and each command is a chunk of its own that only that command loads.
 */
const args = process.argv.slice(2);
const LAST_CHANCE_MS = 2_000;

failWriting((error) => {
  writeError(`error: cannot write the output: ${error.message}\n`);
  process.exitCode = exitCodes.badEnvironment;
});
process.on("uncaughtException", (error) => {
  reportFailure(error);
  process.exit();
});

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  writeResult(`${version}\n`);
} else {
  try {
    const { runProgram } = await import("./program.ts");
    process.exitCode = await runProgram(args);
    // All output is written. A reader that has not read it by now never will, so do not wait.
    if (isStuck()) setTimeout(() => process.exit(), LAST_CHANCE_MS).unref();
  } catch (error) {
    reportFailure(error);
  }
}

/**
 * Expected failures are values; an error that reaches this is a bug, or a limit of the machine that also prevents loading
 * the rest of the program.
 */
function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const hint = findSystemHint(error);
  if (hint !== null) {
    writeError(`error: ${message}\n  help: ${hint}\n`);
    process.exitCode = exitCodes.badEnvironment;
    return;
  }
  const stack = error instanceof Error && args.includes("--debug") ? `${error.stack}\n` : "";
  const advice = stack === "" ? " (run again with --debug for details)" : "";
  writeError(`error: bug in plait: ${message.split("\n")[0]}${advice}\n${stack}`);
  process.exitCode = exitCodes.bug;
}
