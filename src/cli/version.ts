/** Put in by the bundler, so that asking for the version reads no file. */
declare const __PLAIT_VERSION__: string | undefined;

export const version: string = typeof __PLAIT_VERSION__ === "string" ? __PLAIT_VERSION__ : "0.0.0-unbundled";
