import { hashText, type JsonObject, type JsonValue, toBase64url } from '@parley/agent/ap2';

/** Signs claims as a JWT of a type; who has the key decides what it signs. */
export type SignJwt = (typ: string, claims: JsonObject) => Promise<string>;

/** A disclosure (RFC 9901 §4.2) and its digest; without a name it is an element of a list. */
interface Disclosure {
  text: string;
  digest: string;
}

const SALT_BYTES = 16;

/** Hides a value behind a digest, with a salt that nobody guesses (RFC 9901 §9.3). */
async function disclose(value: JsonValue, name?: string): Promise<Disclosure> {
  const salt = toBase64url(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
  const parts = name === undefined ? [salt, value] : [salt, name, value];
  const text = toBase64url(JSON.stringify(parts));
  return { text, digest: await hashText(text) };
}

/** A closed mandate of AP2 0.2: the mandate in `delegate_payload`, every disclosure with it. */
export async function writeMandateSdJwt(
  { mandate, hidden, outer }: { mandate: JsonObject; hidden: JsonObject; outer: JsonObject },
  sign: SignJwt,
): Promise<string> {
  const members = await Promise.all(Object.entries(hidden).map(([name, value]) => disclose(value ?? null, name)));
  const digests = members.map(({ digest }) => digest);
  const mandateDisclosure = await disclose(digests.length > 0 ? { ...mandate, _sd: digests } : mandate);
  const claims = { ...outer, _sd_alg: 'sha-256', delegate_payload: [{ '...': mandateDisclosure.digest }] };
  const disclosures = [...members, mandateDisclosure].map(({ text }) => text);
  return `${[await sign('dc+sd-jwt', claims), ...disclosures].join('~')}~`;
}
