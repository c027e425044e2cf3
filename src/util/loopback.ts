/** Whether a host, as a URL spells it, can only be this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:[^.]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host);
}
