/** What this process has used of the processor: a bound on work holds on a busy machine too, one on time does not. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
