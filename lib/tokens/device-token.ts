import { equalInConstantTime, hmac } from '../platform/crypto';

/** Life of the access token that a device holds, seconds. It renews it by its refresh token. */
export const DEVICE_TOKEN_SECONDS = 3_600;

const shape = /^parley_(at|rt)_([0-9a-z]{20})([0-9a-z]{7})([\w-]{43})$/;

/** What the text of a device's token says: the row it stands for, and how far it goes. */
export interface DeviceToken {
  kind: 'access' | 'refresh';
  id: string;
  /** Of an access token its end, in seconds since 1970; of a refresh token the generation that it renews. */
  count: number;
}

/**
 * The text of a device's token. Nothing is kept of it: whoever has the key can make it again, and it ends with its row.
 * So however often a device renews its tokens, they are one row.
 */
export function writeDeviceToken({ kind, id, count }: DeviceToken): string {
  const body = `${id.slice('pat_'.length)}${count.toString(36).padStart(7, '0')}`;
  return `parley_${kind === 'access' ? 'at' : 'rt'}_${body}${proofOf(kind, body)}`;
}

/** Reads what {@link writeDeviceToken} wrote, or answers null. */
export function readDeviceToken(text: string): DeviceToken | null {
  const [, start, id = '', count = '', proof = ''] = shape.exec(text) ?? [];
  if (!start) return null;
  const kind = start === 'at' ? 'access' : 'refresh';
  if (!equalInConstantTime(proof, proofOf(kind, `${id}${count}`))) return null;
  return { kind, id: `pat_${id}`, count: Number.parseInt(count, 36) };
}

function proofOf(kind: DeviceToken['kind'], body: string): string {
  return hmac(`device-${kind}-token`, body);
}
