import { invisibleCharacters } from '../../../lib/protocol/a2a/cards/clean-text';
import { isObject, type JsonValue } from '../../../lib/protocol/json';

/** What is drawn as a tree: more would make the page slow. */
const MOST_NODES = 2_000;

/** How many values there are, nested ones included; stops counting past `MOST_NODES`. */
function countNodes(value: JsonValue): number {
  const waiting: JsonValue[] = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined && count <= MOST_NODES; next = waiting.pop()) {
    count++;
    if (Array.isArray(next)) waiting.push(...next);
    else if (isObject(next)) waiting.push(...Object.values(next).filter((member) => member !== undefined));
  }
  return count;
}

/** True for an object or list that a browser draws as a tree without effort. */
export function isTree(value: JsonValue): value is object & JsonValue {
  return typeof value === 'object' && value !== null && countNodes(value) <= MOST_NODES;
}

/** The same value for showing: texts and names with control and invisible characters written as JSON escapes (XSS-3). */
export function toShownJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return toShownText(value);
  if (Array.isArray(value)) return value.map(toShownJson);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [toShownText(name), toShownJson(member ?? null)]);
  return Object.fromEntries(entries);
}

/** JSON text with invisible characters escaped: still the same JSON. */
export function escapeHidden(json: string): string {
  return json.replace(invisibleCharacters, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function toShownText(text: string): string {
  return escapeHidden(JSON.stringify(text).slice(1, -1));
}

function unicodeEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
