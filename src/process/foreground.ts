import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Whether this process may talk with its terminal. A job in the background (`plait run plan.yaml &`) that reads from it or
 * changes its settings is stopped by the system.
 */
export async function isInForeground(): Promise<boolean> {
  if (process.platform !== "linux") return isInFrontByPs();
  const stat = readFileSync("/proc/self/stat", "latin1");
  const [, , group, , , front] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === front;
}

/** A plus in the state is how ps tells it. */
function isInFrontByPs(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "stat=", "-p", String(process.pid)], (_, printed) =>
      resolve(printed.includes("+")),
    );
  });
}
