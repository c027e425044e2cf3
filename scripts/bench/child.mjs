// A program that is watched from outside: how long it took, what CPU time it and all of its children spent, and how much
// memory it held at most.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux that Node runs on
const LOOK_EVERY_MS = 20;

export const SEES_PROCESSES = process.platform === "linux";

/** Runs Node on `args`. CPU time and memory are null where the system does not show them. */
export function watched(args, { cwd, env, keepOutput = true }) {
  return new Promise((resolve, reject) => {
    const cpuBefore = childrenCpuMs();
    const begun = performance.now();
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const printed = { stdout: [], stderr: [] };
    for (const name of ["stdout", "stderr"])
      child[name].on("data", (chunk) => keepOutput && printed[name].push(chunk));
    let peakKb = null;
    const looking = setInterval(() => {
      peakKb = peakMemoryKb(child.pid) ?? peakKb;
    }, LOOK_EVERY_MS);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearInterval(looking);
      const wallMs = performance.now() - begun;
      const cpuMs = SEES_PROCESSES ? childrenCpuMs() - cpuBefore : null;
      const text = (name) => Buffer.concat(printed[name]).toString();
      resolve({
        ...{ code, signal, wallMs, cpuMs, pid: child.pid },
        peakMb: peakKb === null ? null : peakKb / 1024,
        ...{ stdout: text("stdout"), stderr: text("stderr") },
      });
    });
  });
}

/** What fails early looks fast, so a failure ends the bench. */
export async function succeeded(args, options) {
  const end = await watched(args, options);
  if (end.code === 0) return end;
  const said = `${end.stdout.slice(-2000)}\n${end.stderr.slice(-2000)}`;
  throw new Error(`node ${args.join(" ")} ended with ${end.code ?? end.signal}: ${said}`);
}

/**
 * CPU time of all children waited for so far, with those that they waited for. Linux shows it, in ticks: cutime and cstime
 * in /proc/self/stat. Only one child may be measured at a time.
 */
function childrenCpuMs() {
  if (!SEES_PROCESSES) return 0;
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the fields from the third on
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** The high-water mark, so a look now and then misses nothing but the last moment. */
function peakMemoryKb(pid) {
  if (!SEES_PROCESSES) return null;
  try {
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return found === null ? null : Number(found[1]); // a zombie has none any more
  } catch {
    return null; // it is gone
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
