import { type OpenTerms, readCheckoutOf } from '../../protocol/ap2/open-mandates';
import { isObject, nonEmptyString } from '../../protocol/json';
import type { OrderRecord } from '../record';

/**
 * The merchant of an order as identified in mandates: by the id in its checkout, else by the issuer of its keys. Null
 * when the checkout has an id that is not a text and therefore cannot appear in a mandate.
 */
export function merchantOf({ checkoutJwt, issuer, offer }: OrderRecord): OpenTerms['payee'] | null {
  const merchant = checkoutJwt === null ? null : (readCheckoutOf(checkoutJwt)?.merchant ?? null);
  const { id: stated = issuer, name: statedName = null } = isObject(merchant) ? merchant : {};
  const id = nonEmptyString(stated);
  if (id === undefined) return null;
  return { id, name: nonEmptyString(statedName) ?? offer?.merchantName ?? id };
}
