import { isSecretName, REDACTED, redactSecrets } from '../gateway';
import type { JsonValue } from '../protocol/json';
import { isObject } from '../protocol/json';

// Every repetition has an end, so that no text makes the search slow.
const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
/** Numbers of cards, whole or as "ending in 4242". */
const cardNumberPattern = /\b(?:\d[ -]?){12,18}\d\b/g;
const cardEndingPattern = /[•*xX]{2}[•*xX -]{0,30}\d{4}\b|\b(ending (?:in|with) )\d{4}\b/g;
/** Parley's own names of orders, receipts and refunds. */
const orderIdPattern = /\b(?:ord|rcp|rfd|apv)_[0-9a-z]{8,}/g;

/** A text as strangers may read it: without secrets, addresses of mail, numbers of cards and names of orders. */
export function redactText(text: string): string {
  return redactSecrets(text)
    .replace(emailPattern, '[e-mail]')
    .replace(cardNumberPattern, '[number]')
    .replace(cardEndingPattern, '$1[number]')
    .replace(orderIdPattern, '[order]');
}

/** A value with all of its texts redacted, and without members whose name says that they are secret. */
export function redactValue(value: JsonValue): JsonValue {
  return mapTexts(value, redactText);
}

/** A value without secrets: no text that looks like one, no member that is named like one. */
export function redactSecretsIn(value: JsonValue): JsonValue {
  return mapTexts(value, redactSecrets);
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') {
    // The number of a card may stand there as a number.
    const changed = change(String(value));
    return changed === String(value) ? value : changed;
  }
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      change(name),
      isSecretName(name) && typeof member === 'string' ? REDACTED : mapTexts(member ?? null, change),
    ]),
  );
}
