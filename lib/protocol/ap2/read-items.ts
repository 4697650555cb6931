import { readJws } from '@parley/agent/ap2';
import { isObject, type JsonObject, nonEmptyString } from '../json';
import type { OpenTerms } from './open-mandates';

/** The checkout that a merchant signed (AP2 0.2), not verified; null if it is not a JWT. */
export function readCheckoutOf(checkoutJwt: string): JsonObject | null {
  return readJws(checkoutJwt)?.payload ?? null;
}

/** The items of a checkout and their number; null if a line has no item id or quantity. */
export function readItems(checkoutJwt: string): OpenTerms['items'] {
  const lines = readCheckoutOf(checkoutJwt)?.line_items;
  if (!Array.isArray(lines) || lines.length === 0) return null;
  const acceptable = new Map<string, string>();
  let quantity = 0;
  for (const line of lines) {
    const { item = null, quantity: count = null } = isObject(line) ? line : {};
    const id = isObject(item) ? nonEmptyString(item.id) : undefined;
    if (!isObject(item) || id === undefined || !Number.isSafeInteger(count) || Number(count) < 1) return null;
    acceptable.set(id, nonEmptyString(item.title) ?? id);
    quantity += Number(count);
  }
  return { acceptable: [...acceptable].map(([id, title]) => ({ id, title })), quantity };
}
