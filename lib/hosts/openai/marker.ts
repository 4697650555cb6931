import { randomBytes } from 'node:crypto';

/** What identifies a turn to the client that got its answer: 128 random bits, hex. */
export type TurnToken = string;

export function newTurnToken(): TurnToken {
  return randomBytes(16).toString('hex');
}

/** Two bits each. Displays give them no width, and no trim function removes them. */
const symbols = ['\u200b', '\u200c', '\u200d', '\u2060'];
const markers = /\s*(?:\u200b|\u200c|\u200d|\u2060){64,}/g;
const TOKEN_SYMBOLS = 64;

/** One bit each: JSON permits no other text after its value (RFC 8259 §2). */
const blanks = [' ', '\t'];
const blankMarker = /\n([ \t]{128})\s*$/;

/**
 * The text that marks an answer as that of a turn, to append to it: invisible characters in a paragraph of their own,
 * which breaks neither Markdown nor links; white space after an answer that is JSON.
 */
export function markerFor(answer: string, token: TurnToken): string {
  if (isJson(answer)) return `\n${encode(token, blanks)}`;
  return (answer === '' ? '' : '\n\n') + encode(token, symbols);
}

/** Takes the markers out of a text, and returns the last one's token; null for none. */
export function takeMarkers(text: string): { text: string; token: TurnToken | null } {
  const found = text.match(markers)?.at(-1);
  if (found !== undefined) {
    return { text: text.replace(markers, ''), token: decode(found.slice(-TOKEN_SYMBOLS), symbols) };
  }
  const [, bits] = blankMarker.exec(text) ?? [];
  if (bits === undefined) return { text, token: null };
  return { text: text.replace(blankMarker, ''), token: decode(bits, blanks) };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes a token in an alphabet of 2 or 4 characters. */
function encode(token: TurnToken, alphabet: string[]): string {
  const digits = BigInt(`0x${token}`).toString(alphabet.length);
  const width = alphabet.length === 4 ? 64 : 128;
  return [...digits.padStart(width, '0')].map((digit) => alphabet[Number(digit)]).join('');
}

function decode(text: string, alphabet: string[]): TurnToken {
  const base = BigInt(alphabet.length);
  const value = [...text].reduce((sum, symbol) => sum * base + BigInt(alphabet.indexOf(symbol)), 0n);
  return value.toString(16).padStart(32, '0');
}
