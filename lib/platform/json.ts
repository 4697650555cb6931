import { visit } from 'jsonc-parser';
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS } from '../protocol/limits';
import { ParleyError } from './errors';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [member: string]: JsonValue };
export type JsonObject = { [member: string]: JsonValue };

/**
 * Parses JSON with limits that `JSON.parse` does not have: maximum depth, at most `maxMembers` members and elements,
 * finite numbers, no `__proto__` member.
 * @throws {ParleyError} `parse_error` with the error and its position
 */
export function parseJson(text: string, maxMembers = MAX_JSON_MEMBERS): JsonValue {
  if (mayExceedLimits(text)) checkLimits(text, maxMembers);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new ParleyError('parse_error', `The body is not JSON: ${(cause as Error).message}.`, { cause });
  }
  // With a two-digit exponent, a number needs more than 200 digits to be infinite.
  if (/\d[eE]\+?\d{3}|\d{200}/.test(text)) rejectInfiniteNumbers(value);
  if (text.includes('"__proto__"') || text.includes('\\u')) rejectProtoMembers(value);
  return value;
}

/**
 * Like {@link parseJson}, for data that other systems trust: also rejects an object that contains a member twice,
 * because parsers disagree about which one counts (RFC 8259 §4).
 * @throws {ParleyError} `parse_error`
 */
export function parseUnambiguousJson(text: string): JsonValue {
  const value = parseJson(text);
  const repeated = repeatedMemberIn(text, value);
  if (repeated === null) return value;
  throw new ParleyError('parse_error', `An object in the JSON has the member "${repeated.slice(0, 60)}" twice.`);
}

/**
 * Returns the name of a member that an object in the JSON contains twice; null if there is none. `value` is the parsed
 * text.
 */
export function repeatedMemberIn(text: string, value: unknown): string | null {
  // `JSON.parse` keeps only the last of two members with the same name, so the text has more colons than the value has
  // members.
  if (countColons(text) === countMembers(value)) return null;
  const open: Set<string>[] = [];
  const repeated: string[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name) => {
      if (open.at(-1)?.has(name)) repeated.push(name);
      open.at(-1)?.add(name);
    },
  });
  return repeated[0] ?? null;
}

function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at + 1);
    else if (code === 0x3a) colons++;
  }
  return colons;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countMembers(member), own);
}

/** Returns true for JSON objects; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns false for almost every text: those that are too short to have too many members and have too few brackets to
 * be too deep.
 */
function mayExceedLimits(text: string): boolean {
  if (text.length >= MAX_JSON_MEMBERS) return true;
  let opened = 0;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) opened++;
  }
  return opened > MAX_JSON_DEPTH;
}

/** Checks depth and number of members before parsing. */
function checkLimits(text: string, maxMembers: number): void {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at + 1);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_JSON_DEPTH)
        throw new ParleyError('parse_error', `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`);
      members++;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    } else if (code === 0x2c) {
      members++;
    }
  }
  if (members > maxMembers) {
    throw new ParleyError(
      'parse_error',
      `The JSON has more than ${maxMembers.toLocaleString('en-US')} members and elements.`,
    );
  }
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function rejectInfiniteNumbers(value: JsonValue): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ParleyError('parse_error', 'The JSON contains a number that is too large to store.');
  }
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(rejectInfiniteNumbers);
}

function rejectProtoMembers(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new ParleyError('parse_error', 'The JSON contains a member named "__proto__", which is not accepted.');
  }
  Object.values(value).forEach(rejectProtoMembers);
}
