import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import type { Extra } from "../../support/extras.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const { PLAIT_TEST_CHROMIUM } = process.env;
const program = PLAIT_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path)) ?? null;

export const withChromium: Extra = {
  name: "chromium",
  isThere: program !== null,
  install: "to install it: apt-get install chromium",
};

/** Nothing of the user's: no profile, and no talk with anybody but the page. */
export function launchChromium(): Promise<Browser> {
  const args = [
    ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync", "--force-color-profile=srgb"],
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
  return chromium.launch({ executablePath: program as string, args });
}
