import type { AccessScope } from '../platform/context';
import { constantTimeEqual, hmac } from '../platform/crypto';

/** Life of the access token that a device holds, seconds. It renews it by its refresh token. */
export const DEVICE_TOKEN_SECONDS = 3_600;

const tokenPattern = /^parley_(at|rt)_([0-9a-z]{20})([0-9a-z]{7})((?:\.[a-z]+\.)?)([\w-]{43})$/;

/** One letter for each scope in the text of a narrowed token. Letters are never reused. */
const scopeLetters: Record<AccessScope, string> = {
  'agents:read': 'r',
  'agents:write': 'w',
  handshake: 'h',
  pay: 'p',
};

/** What the text of a device's token says: the row it stands for, and how far it goes. */
export interface DeviceToken {
  kind: 'access' | 'refresh';
  id: string;
  /** Of an access token its end, in seconds since 1970; of a refresh token the generation that it renews. */
  count: number;
  /** The scopes of an access token that has fewer than its row (RFC 6749 §6). */
  scopes?: AccessScope[];
}

/**
 * The text of a device's token. Nothing is kept of it: whoever has the key can make it again, and it ends with its row.
 * So however often a device renews its tokens, they are one row.
 */
export function encodeDeviceToken({ kind, id, count, scopes }: DeviceToken): string {
  const narrowed = scopes ? `.${scopes.map((scope) => scopeLetters[scope]).join('')}.` : '';
  const body = `${id.slice('pat_'.length)}${count.toString(36).padStart(7, '0')}${narrowed}`;
  return `parley_${kind === 'access' ? 'at' : 'rt'}_${body}${macOf(kind, body)}`;
}

/** Reads what {@link encodeDeviceToken} wrote, or answers null. */
export function decodeDeviceToken(text: string): DeviceToken | null {
  const [, start, id = '', count = '', narrowed = '', mac = ''] = tokenPattern.exec(text) ?? [];
  if (!start) return null;
  const kind = start === 'at' ? 'access' : 'refresh';
  if (!constantTimeEqual(mac, macOf(kind, `${id}${count}${narrowed}`))) return null;
  const token = { kind, id: `pat_${id}`, count: Number.parseInt(count, 36) } as const;
  return narrowed === '' ? token : { ...token, scopes: scopesOf(narrowed) };
}

function scopesOf(letters: string): AccessScope[] {
  const scopes = Object.keys(scopeLetters) as AccessScope[];
  return scopes.filter((scope) => letters.includes(scopeLetters[scope]));
}

function macOf(kind: DeviceToken['kind'], body: string): string {
  return hmac(`device-${kind}-token`, body);
}
