import { isObject, type JsonObject, type JsonValue } from '../json';
import { MAX_RECEIPT_FACTS } from '../limits';

/** A line of a receipt with the agent's text. */
export interface ReceiptFact {
  label: string;
  value: string;
}

/**
 * Returns the members of a receipt for display: AP2 0.1's PaymentReceipt, or a free format with an order id and a
 * total. Flattens nested objects and replaces lists with their lengths. Empty for a token in place of a receipt.
 */
export function readReceipt(value: JsonValue): ReceiptFact[] {
  return isObject(value) ? factsOf(value, '').slice(0, MAX_RECEIPT_FACTS) : [];
}

function factsOf(object: JsonObject, prefix: string): ReceiptFact[] {
  return Object.entries(object).flatMap(([name, member]) => {
    const label = prefix ? `${prefix} ${toWords(name)}` : toSentence(toWords(name));
    if (member === null || member === undefined || member === '') return [];
    if (Array.isArray(member))
      return [{ label, value: `${member.length} ${member.length === 1 ? 'entry' : 'entries'}` }];
    if (!isObject(member)) return [{ label, value: String(member) }];
    const amount = asAmount(member);
    return amount ? [{ label, value: amount }] : factsOf(member, label);
  });
}

/** Formats `{currency, value}` in one line. */
function asAmount({ currency, value }: JsonObject): string | null {
  const plain = typeof value === 'number' || typeof value === 'string';
  return typeof currency === 'string' && plain ? `${value} ${currency}` : null;
}

/** Converts names such as `payment_mandate_id` and `orderId` to words. */
function toWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
