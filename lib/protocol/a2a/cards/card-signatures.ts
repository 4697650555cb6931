import { canonicalizeAgentCard, AgentCard as SdkCard } from '@a2a-js/sdk';
import { canonicalJson } from '../../jcs';
import { isObject, type JsonObject, type JsonValue } from '../../json';
import {
  MAX_CARD_SIGNATURES,
  MAX_CARD_URL_LENGTH,
  MAX_KEY_ID_LENGTH,
  MAX_PROTECTED_HEADER_LENGTH,
  MAX_SIGNATURE_LENGTH,
} from '../../limits';

/** Accepted signature algorithms: asymmetric ones only. */
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

/**
 * Header members that contain or reference a key, or change the interpretation of the payload (RFC 7515 §4.1, RFC
 * 7797).
 */
const refusedMembers = ['jwk', 'x5c', 'x5u', 'x5t', 'x5t#S256', 'crit', 'b64', 'zip', 'enc'];
/** Members that are valid only in the protected header. */
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

/** A well-formed signature of a card, not yet verified. */
export interface CardSignature {
  /** The protected header as received, base64url. */
  protected: string;
  signature: string;
  alg: string;
  kid: string;
  /** The URL of the key set in the card; null if there is none. */
  jku: string | null;
}

/**
 * Returns the signatures of a card (A2A 1.0 §8.4.2), each parsed or with the reason for its rejection; null for an
 * unsigned card.
 */
export function readSignatures(card: JsonObject): (CardSignature | { refused: SignatureReason })[] | null {
  const { signatures } = card;
  if (signatures === undefined || signatures === null) return null;
  if (!Array.isArray(signatures)) return [{ refused: 'malformed' }];
  if (signatures.length === 0) return null;
  if (signatures.length > MAX_CARD_SIGNATURES) return [{ refused: 'too_many' }];
  return signatures.map(readSignature);
}

function readSignature(value: JsonValue): CardSignature | { refused: SignatureReason } {
  if (!isObject(value)) return { refused: 'malformed' };
  const { protected: head, signature, header } = value;
  if (!isBase64Url(head, MAX_PROTECTED_HEADER_LENGTH) || !isBase64Url(signature, MAX_SIGNATURE_LENGTH))
    return { refused: 'malformed' };
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
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KEY_ID_LENGTH) return { refused: 'kid_missing' };
  if (jku !== undefined && (typeof jku !== 'string' || jku.length > MAX_CARD_URL_LENGTH))
    return { refused: 'header_refused' };
  return { protected: head, signature, alg, kid, jku: jku ?? null };
}

function isBase64Url(value: JsonValue | undefined, max: number): value is string {
  return typeof value === 'string' && value.length <= max && /^[A-Za-z0-9_-]+$/.test(value);
}

/**
 * Returns the header, if it is an object whose JSON is canonical except for spaces. Parsers disagree about duplicate
 * and escaped members.
 */
function headerOf(text: string): JsonObject | null {
  try {
    const json = Buffer.from(text, 'base64url').toString('utf8');
    const value = JSON.parse(json) as JsonValue;
    return isObject(value) && withoutSpaces(JSON.stringify(value)) === withoutSpaces(json) ? value : null;
  } catch {
    // Not JSON: reported as malformed by the caller.
    return null;
  }
}

function withoutSpaces(json: string): string {
  return json.replace(/\s/g, '');
}

/**
 * Members that A2A 1.0's proto declares neither required nor with explicit presence. If they have the default value,
 * they are omitted from the signed payload.
 */
interface Shape {
  drops?: string[];
  members?: Record<string, Shape>;
  /** The shape of each value, for an object with arbitrary member names. */
  entries?: Shape;
}

const requirement: Shape = { drops: ['schemes'], members: { schemes: { entries: { drops: ['list'] } } } };
const flow: Shape = { drops: ['refreshUrl', 'pkceRequired'] };
const scheme: Shape = {
  members: {
    apiKeySecurityScheme: { drops: ['description'] },
    httpAuthSecurityScheme: { drops: ['description', 'bearerFormat'] },
    oauth2SecurityScheme: {
      drops: ['description', 'oauth2MetadataUrl'],
      members: { flows: { members: { authorizationCode: flow, clientCredentials: flow, deviceCode: flow } } },
    },
    openIdConnectSecurityScheme: { drops: ['description'] },
    mtlsSecurityScheme: { drops: ['description'] },
  },
};
const card: Shape = {
  drops: ['securitySchemes', 'securityRequirements'],
  members: {
    supportedInterfaces: { drops: ['tenant'] },
    capabilities: { drops: ['extensions'], members: { extensions: { drops: ['description', 'required'] } } },
    securitySchemes: { entries: scheme },
    securityRequirements: requirement,
    skills: {
      drops: ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
      members: { securityRequirements: requirement },
    },
  },
};

/**
 * Returns the payloads that a signature of this card may cover (A2A 1.0 §8.4.1): the served card in JCS form, the same
 * card without default values, and the SDK's format, which is included only if it covers the whole card.
 */
export function cardPayloads(signed: JsonObject): string[] {
  const { signatures: _, ...bare } = signed;
  const forms = [canonicalJson(bare), canonicalJson(withoutDefaults(bare, card)), sdkPayload(bare)];
  return [...new Set(forms.filter((form) => form !== null))];
}

function withoutDefaults(value: JsonValue, shape: Shape): JsonValue {
  if (Array.isArray(value)) return value.map((element) => withoutDefaults(element, shape));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    if (member === undefined || member === null) return [];
    const inner = shape.entries ?? shape.members?.[name];
    const slim = inner ? withoutDefaults(member, inner) : member;
    return shape.drops?.includes(name) && isDefault(slim) ? [] : [[name, slim]];
  });
  return Object.fromEntries(entries);
}

function sdkPayload(bare: JsonObject): string | null {
  try {
    // Merged with the JSON, because the SDK's object loses the security schemes (a2a-js #663).
    const read = SdkCard.fromJSON(bare);
    const payload = canonicalizeAgentCard({ ...read, ...bare });
    return covers(JSON.parse(payload) as JsonValue, bare) ? payload : null;
  } catch {
    // Not a card of A2A 1.0, so the SDK cannot represent it.
    return null;
  }
}

/** Returns true if `signed` contains every non-empty member of `given`. */
function covers(signed: JsonValue | undefined, given: JsonValue): boolean {
  if (isEmpty(given)) return true;
  if (Array.isArray(given)) {
    const elements = given.filter((element) => !isEmpty(element));
    return (
      Array.isArray(signed) &&
      elements.length === signed.length &&
      elements.every((element, index) => covers(signed[index], element))
    );
  }
  if (!isObject(given)) return signed === given;
  return isObject(signed) && Object.entries(given).every(([name, member]) => covers(signed[name], member ?? null));
}

/** Returns true for the proto default of the value's type. */
function isDefault(value: JsonValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Returns true if the value is a default at every depth. */
function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (!isObject(value)) return isDefault(value);
  return Object.values(value).every((member) => isEmpty(member ?? null));
}
