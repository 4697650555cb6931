import { ParleyError } from '../../platform/errors';
import { isObject, parseJson } from '../../platform/json';
import { fetchExternalBody } from '../../platform/safe-fetch';
import { MAX_KEYS, type MerchantJwk, readMerchantKey } from './read-merchant-key';

const totalMs = 5_000;
const maxBytes = 65_536;
const maxRead = 100;

/**
 * The keys for ES256 at an address that a seller gave, by the guarded way out; others in the set are left out.
 * @throws {ParleyError} `invalid_request` saying what is wrong with the set; what {@link fetchExternalBody} throws
 */
export async function fetchMerchantKeys(url: string, signal: AbortSignal): Promise<MerchantJwk[]> {
  const headers = { accept: 'application/jwk-set+json, application/json' };
  const response = await fetchExternalBody({ url, method: 'GET', headers, signal, maxBytes, totalMs });
  if (response.status !== 200) throw invalidKeySet(`answered HTTP ${response.status}, expected 200`);
  const value = parseJson(response.bytes.toString('utf8'));
  const listed = isObject(value) ? value.keys : undefined;
  if (!Array.isArray(listed) || listed.length > maxRead) throw invalidKeySet('is not a JWK Set');
  const keys = listed.map(readMerchantKey).flatMap((key) => ('fault' in key ? [] : [key]));
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw invalidKeySet('has two keys under one kid');
  if (keys.length === 0) throw invalidKeySet('has no public key for ES256 (EC, P-256) with a kid');
  if (keys.length > MAX_KEYS) throw invalidKeySet(`has more than ${MAX_KEYS} keys for ES256`);
  return keys;
}

function invalidKeySet(what: string): ParleyError {
  const text = `The address of the keys ${what}.`;
  return new ParleyError('invalid_request', text, { data: { faults: [{ pointer: '/jwksUrl', message: text }] } });
}
