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
  writeError(`plait: the result cannot be written: ${error.message}\n`);
  process.exitCode = exitCodes.badEnvironment;
});
process.on("uncaughtException", (error) => {
  reportBug(error);
  process.exit(exitCodes.bug);
});

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  writeResult(`${version}\n`);
} else {
  try {
    const { runProgram } = await import("./program.ts");
    process.exitCode = await runProgram(args);
    // All is done and said. A reader that has not taken it by now does not read: nobody waits for that.
    if (isStuck()) setTimeout(() => process.exit(), LAST_CHANCE_MS).unref();
  } catch (error) {
    reportBug(error);
  }
}

/** Expected failures are values; what is thrown to here is our own mistake. */
function reportBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && args.includes("--debug") ? `${error.stack}\n` : "";
  const advice = stack === "" ? "; with --debug it says where" : "";
  writeError(`plait: this is a bug in plait: ${message.split("\n")[0]}${advice}\n${stack}`);
  process.exitCode = exitCodes.bug;
}
