import canonicalize from 'canonicalize';
import { base64url } from 'jose';
import type { JsonValue } from './strict-json.js';

const utf8 = new TextEncoder();

/**
 * Returns SHA-256 of a text's UTF-8, in base64url: the format of `checkout_hash`, `sd_hash` and a receipt's
 * `reference`.
 */
export async function hashText(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text))));
}

/** Returns true if the claimed hash, possibly in hexadecimal, equals this base64url hash. */
export function isSameHash(claimed: string, hash: string): boolean {
  return claimed === hash || claimed.toLowerCase() === toHex(base64url.decode(hash));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the canonical JSON text (RFC 8785). */
export function canonicalText(value: JsonValue): string {
  return canonicalize(value) ?? 'null';
}

/** Returns SHA-256 of a value's canonical text, in base64url: the format of `cart_hash` in AP2 0.1. */
export function hashJson(value: JsonValue): Promise<string> {
  return hashText(canonicalText(value));
}

/** Encodes bytes, or the UTF-8 of a text, in base64url. */
export function toBase64url(value: Uint8Array | string): string {
  return base64url.encode(typeof value === 'string' ? utf8.encode(value) : value);
}

/** Decodes a canonically encoded base64url text; null for any other text. */
export function readBase64url(text: string): Uint8Array | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    const bytes = base64url.decode(text);
    return base64url.encode(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** Decodes UTF-8; null if it is invalid. */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
