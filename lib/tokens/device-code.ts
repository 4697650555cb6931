import { randomInt } from 'node:crypto';
import { hmac, newSecret } from '../platform/crypto';

/** Life of a device code and of the code that a person types, seconds (RFC 8628 §3.2). */
export const DEVICE_CODE_SECONDS = 600;

/** How long a device waits between two questions at first, seconds (RFC 8628 §3.5). */
export const POLL_SECONDS = 5;

/** RFC 8628 §6.1: no vowels, so no words, and nothing that looks like a digit. */
const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** What the device holds (256 random bits), and what the person types: 8 of 20 letters, 34 random bits (TOK-5). */
export function newDeviceCodes(): { deviceCode: string; userCode: string } {
  const typed = Array.from({ length }, () => userCodeAlphabet[randomInt(userCodeAlphabet.length)]).join('');
  return { deviceCode: newSecret('parley_dc_'), userCode: `${typed.slice(0, 4)}-${typed.slice(4)}` };
}

export function hashDeviceCode(deviceCode: string): string {
  return hmac('device-code', deviceCode);
}

/** The hash of a code as a person types it, in any case and with whatever between its letters; null when it is none. */
export function hashUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '');
  const isCode = code.length === length && [...code].every((letter) => userCodeAlphabet.includes(letter));
  return isCode ? hmac('user-code', code) : null;
}
