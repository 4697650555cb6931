import type { TokenScope } from '../../platform/scopes';
import { constantTimeEqual, hmac, newSecret } from '../../platform/secrets/crypto';
import type { TokenResponse } from '../../protocol/oauth/authorization-server';
import { ACCESS_TOKEN_SECONDS } from '../limits';
import type { AccessTokenRecord } from '../store/access-token-rows';

const PERSONAL_TOKEN_PREFIX = 'parley_pat_';
const ID_LENGTH = 20;
const DERIVED_TOKEN_PATTERN = /^parley_(at|rt)_([0-9a-z]{20})([0-9a-z]{7})((?:\.[a-z]+\.)?)([\w-]{43})$/;

/** One letter per scope in the text of a narrowed token. Letters are never reused. */
const SCOPE_LETTERS: Record<TokenScope, string> = {
  'agents:read': 'r',
  'agents:write': 'w',
  'agents:serve': 's',
  handshake: 'h',
  pay: 'p',
  'guards:write': 'g',
  'agents:call': 'c',
  'tasks:read': 't',
  offline_access: 'o',
};

/**
 * Creates a personal access token for row `id`: the row id, followed by 256 random bits. `prefix` is displayed in
 * lists.
 */
export function newAccessTokenText(id: string): { token: string; prefix: string } {
  const token = newSecret(`${PERSONAL_TOKEN_PREFIX}${id.slice('pat_'.length)}`);
  return { token, prefix: token.slice(0, PERSONAL_TOKEN_PREFIX.length + 6) };
}

/** Returns the hash that is stored instead of a personal access token. */
export function hashAccessToken(text: string): string {
  return hmac('access-token', text);
}

/** Returns the row id in a personal access token, or null if the text does not have the format of one. */
export function accessTokenIdOf(text: string): string | null {
  const { length } = PERSONAL_TOKEN_PREFIX;
  const body = text.startsWith(PERSONAL_TOKEN_PREFIX) ? text.slice(length, length + ID_LENGTH) : '';
  return /^[0-9a-z]{20}$/.test(body) ? `pat_${body}` : null;
}

/** The content of a token for a device or connected app. */
type DerivedToken =
  /**
   * `expiresAt` is in seconds since 1970. `scopes` is set only if the token has fewer scopes than its row (RFC 6749
   * §6).
   */
  | { kind: 'access'; id: string; expiresAt: number; scopes?: TokenScope[] }
  /** `generation` is the generation that the token renews. */
  | { kind: 'refresh'; id: string; generation: number };

/**
 * Encodes a token for a device or connected app: its content and a MAC. The token is not stored and is valid only while
 * its row exists. Renewal adds no row.
 */
function encodeDerivedToken(token: DerivedToken): string {
  const id = token.id.slice('pat_'.length);
  if (token.kind === 'refresh') return sealText('refresh', `${id}${toBase36(token.generation)}`);
  const narrowed = token.scopes ? `.${token.scopes.map((scope) => SCOPE_LETTERS[scope]).join('')}.` : '';
  return sealText('access', `${id}${toBase36(token.expiresAt)}${narrowed}`);
}

function toBase36(value: number): string {
  return value.toString(36).padStart(7, '0');
}

function sealText(kind: DerivedToken['kind'], body: string): string {
  return `parley_${kind === 'access' ? 'at' : 'rt'}_${body}${macOf(kind, body)}`;
}

/** Decodes a text of {@link encodeDerivedToken}; null for any other text. */
export function decodeDerivedToken(text: string): DerivedToken | null {
  const [, type, idText = '', digits = '', narrowed = '', mac = ''] = DERIVED_TOKEN_PATTERN.exec(text) ?? [];
  if (!type) return null;
  const kind = type === 'at' ? 'access' : 'refresh';
  if (!constantTimeEqual(mac, macOf(kind, `${idText}${digits}${narrowed}`))) return null;
  const id = `pat_${idText}`;
  const value = Number.parseInt(digits, 36);
  if (kind === 'refresh') return { kind, id, generation: value };
  return { kind, id, expiresAt: value, ...(narrowed !== '' && { scopes: scopesOf(narrowed) }) };
}

function scopesOf(letters: string): TokenScope[] {
  const known = Object.entries(SCOPE_LETTERS) as [TokenScope, string][];
  return known.flatMap(([scope, letter]) => (letters.includes(letter) ? [scope] : []));
}

function macOf(kind: DerivedToken['kind'], body: string): string {
  return hmac(`device-${kind}-token`, body);
}

/**
 * Returns the current tokens of a device or connected app: an access token that is valid for an hour, and a refresh
 * token for one renewal, unless the app was not granted `offline_access`. Only the access token may have fewer scopes
 * than granted (RFC 6749 §6).
 */
export function toDerivedTokens(
  { id, generation, connectionId, scopes: granted }: AccessTokenRecord,
  now: Date,
  scopes: TokenScope[] = granted,
): TokenResponse {
  const expiresAt = Math.floor(now.getTime() / 1000) + ACCESS_TOKEN_SECONDS;
  const narrowed = scopes.length < granted.length && { scopes };
  const isRenewable = connectionId === null || granted.includes('offline_access');
  return {
    access_token: encodeDerivedToken({ kind: 'access', id, expiresAt, ...narrowed }),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: scopes.join(' '),
    ...(isRenewable && { refresh_token: encodeDerivedToken({ kind: 'refresh', id, generation: generation ?? 0 }) }),
  };
}
