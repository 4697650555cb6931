import { invisibleCharacters } from '../../../lib/protocol/a2a/cards/clean-text';
import { isObject, type JsonValue } from '../../../lib/protocol/json';

/** Maximum nodes of a rendered tree, for performance. */
const MAX_NODES = 2_000;

/** Number of values including nested ones; stops counting above `MAX_NODES`. */
function countNodes(value: JsonValue): number {
  const stack: JsonValue[] = [value];
  let count = 0;
  for (let next = stack.pop(); next !== undefined && count <= MAX_NODES; next = stack.pop()) {
    count++;
    if (Array.isArray(next)) stack.push(...next);
    else if (isObject(next)) stack.push(...Object.values(next).filter((member) => member !== undefined));
  }
  return count;
}

/** True for an object or array small enough to be rendered as a tree. */
export function isTree(value: JsonValue): value is object & JsonValue {
  return typeof value === 'object' && value !== null && countNodes(value) <= MAX_NODES;
}

/** The value for display: control and invisible characters in strings and names as JSON escapes. */
export function toDisplayedJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return toDisplayedText(value);
  if (Array.isArray(value)) return value.map(toDisplayedJson);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    toDisplayedText(name),
    toDisplayedJson(member ?? null),
  ]);
  return Object.fromEntries(entries);
}

/** JSON text with invisible characters escaped: still equivalent JSON. */
export function escapeInvisible(json: string): string {
  return json.replace(invisibleCharacters, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function toDisplayedText(text: string): string {
  return escapeInvisible(JSON.stringify(text).slice(1, -1));
}

function unicodeEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
