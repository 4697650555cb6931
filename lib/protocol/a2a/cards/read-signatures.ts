import { isObject, type JsonObject, type JsonValue } from '../../json';

/** Algorithms whose signatures count. Never `none`, never a shared secret. */
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
];
const maxSignatures = 8;
const maxProtected = 4_096;
const maxSignature = 2_048;

/** Header members that would bring a key along, point at one, or change how the text is read (RFC 7515 §4.1, RFC 7797). */
const refusedMembers = ['jwk', 'x5c', 'x5u', 'x5t', 'x5t#S256', 'crit', 'b64', 'zip', 'enc'];
/** What only the signed part of the header may say. */
const protectedOnly = [...refusedMembers, 'alg', 'kid', 'jku', 'typ'];

export type SignatureReason =
  | 'malformed'
  | 'too_many'
  | 'algorithm_refused'
  | 'header_refused'
  | 'kid_missing'
  | 'jku_elsewhere'
  | 'keys_unreachable'
  | 'keys_invalid'
  | 'key_unknown'
  | 'key_refused'
  | 'mismatch';

/** One signature of a card, ready to be checked. */
export interface CardSignature {
  /** The protected header as it came: base64url text. */
  protected: string;
  signature: string;
  alg: string;
  kid: string;
  /** Where the card says its keys are; null when it does not. */
  jku: string | null;
}

/**
 * The signatures of a card (A2A 1.0 §8.4.2), each as something to check or as the reason why it does not count. Null for
 * a card without any.
 */
export function readSignatures(card: JsonObject): (CardSignature | { refused: SignatureReason })[] | null {
  const { signatures } = card;
  if (signatures === undefined || signatures === null) return null;
  if (!Array.isArray(signatures)) return [{ refused: 'malformed' }];
  if (signatures.length === 0) return null;
  if (signatures.length > maxSignatures) return [{ refused: 'too_many' }];
  return signatures.map(readSignature);
}

function readSignature(value: JsonValue): CardSignature | { refused: SignatureReason } {
  if (!isObject(value)) return { refused: 'malformed' };
  const { protected: head, signature, header } = value;
  if (!isBase64Url(head, maxProtected) || !isBase64Url(signature, maxSignature)) return { refused: 'malformed' };
  const protectedHeader = headerOf(head);
  if (!protectedHeader || (header !== undefined && header !== null && !isObject(header)))
    return { refused: 'malformed' };
  if (isObject(header) && protectedOnly.some((name) => Object.hasOwn(header, name)))
    return { refused: 'header_refused' };
  if (refusedMembers.some((name) => Object.hasOwn(protectedHeader, name))) return { refused: 'header_refused' };
  const { alg, kid, typ, jku } = protectedHeader;
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return { refused: 'algorithm_refused' };
  if (typ !== undefined && !(typeof typ === 'string' && typ.toUpperCase() === 'JOSE'))
    return { refused: 'header_refused' };
  if (typeof kid !== 'string' || kid === '' || kid.length > 256) return { refused: 'kid_missing' };
  if (jku !== undefined && (typeof jku !== 'string' || jku.length > 2_000)) return { refused: 'header_refused' };
  return { protected: head, signature, alg, kid, jku: jku ?? null };
}

function isBase64Url(value: JsonValue | undefined, max: number): value is string {
  return typeof value === 'string' && value.length <= max && /^[A-Za-z0-9_-]+$/.test(value);
}

/**
 * The header, when it is an object in the one spelling that JSON gives it, spaces aside: a member that stands twice or
 * in escapes is read differently by different readers.
 */
function headerOf(text: string): JsonObject | null {
  try {
    const json = Buffer.from(text, 'base64url').toString('utf8');
    const value = JSON.parse(json) as JsonValue;
    return isObject(value) && withoutSpaces(JSON.stringify(value)) === withoutSpaces(json) ? value : null;
  } catch {
    // Not JSON: the caller says so.
    return null;
  }
}

function withoutSpaces(json: string): string {
  return json.replace(/\s/g, '');
}
