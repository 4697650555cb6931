import { randomBytes } from 'node:crypto';

/** Identifies a turn for the client that received its answer: 128 random bits, in hex. */
export type TurnToken = string;

export function newTurnToken(): TurnToken {
  return randomBytes(16).toString('hex');
}

/** Invisible characters, each of which encodes two bits. They have no width, and trim functions do not remove them. */
const symbols = ['\u200b', '\u200c', '\u200d', '\u2060'];
const markers = /\s*(?:\u200b|\u200c|\u200d|\u2060){64,}/g;
const TOKEN_SYMBOLS = 64;

/** White space characters, each of which encodes one bit. JSON permits no other text after its value (RFC 8259 §2). */
const blanks = [' ', '\t'];
const blankMarker = /\n([ \t]{128})\s*$/;

/**
 * Returns the text that is appended to an answer to identify its turn: invisible characters in a separate paragraph, so
 * that Markdown and links are unchanged, or white space after a JSON answer.
 */
export function markerFor(answer: string, token: TurnToken): string {
  if (isJson(answer)) return `\n${encode(token, blanks)}`;
  return (answer === '' ? '' : '\n\n') + encode(token, symbols);
}

/** Removes the markers from a text, and returns the token of the last one; null for none. */
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
