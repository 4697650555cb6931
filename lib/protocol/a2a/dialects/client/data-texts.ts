import { type Node, parseTree } from 'jsonc-parser';
import { isObject, type JsonValue } from '../../../json';

/** Words of which every offer to buy has one (ap2.md §1.2); looking for them costs less than a microsecond. */
const words = ['payment_request', 'ap2', 'ucp'];

/** How an object of a data part was written; undefined when `JSON.stringify` writes it alike. */
export type DataTexts = (data: JsonValue) => string | undefined;

/**
 * The texts of the data parts in what an agent sent, for whoever must hash them or see a member that stands there twice,
 * which parsing forgets. Undefined for nearly everything: only what may be an offer to buy is read a second time.
 */
export function findDataTexts(text: string, value: JsonValue): DataTexts | undefined {
  if (!words.some((word) => text.includes(word))) return undefined;
  const root = parseTree(text);
  if (!root) return undefined;
  const texts = new Map<JsonValue, string>();
  collect(root, value, (data, { offset, length }) => texts.set(data, text.slice(offset, offset + length)));
  return (data) => {
    const written = texts.get(data);
    return written === JSON.stringify(data) ? undefined : written;
  };
}

function collect(node: Node, value: JsonValue | undefined, found: (data: JsonValue, at: Node) => void): void {
  if (node.type === 'array' && Array.isArray(value)) {
    for (const [index, child] of (node.children ?? []).entries()) collect(child, value[index], found);
  }
  if (node.type !== 'object' || !isObject(value)) return;
  for (const { children: [name, member] = [] } of node.children ?? []) {
    if (!name || !member) continue;
    const held = value[String(name.value)];
    if (name.value === 'data' && isObject(held)) found(held, member);
    collect(member, held, found);
  }
}
