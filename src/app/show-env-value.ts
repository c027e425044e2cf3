import { secretsOf } from "../process/mask/secrets.ts";

const MASKED = "[masked]";
const ANY_VALUE = "x".repeat(8);

/** The value of a plan's variable for people: hidden where its name says that it is a secret, as is a password in a URL. */
export function showEnvValue(name: string, value: string): string {
  if (secretsOf({ [name]: ANY_VALUE }).length > 0) return MASKED; // a short one as well
  return secretsOf({ [name]: value }).reduce((text, secret) => text.replaceAll(secret, MASKED), value);
}
