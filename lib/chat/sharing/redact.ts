import type { Part } from '../../protocol/a2a/core/model';
import type { JsonValue } from '../../protocol/json';
import { isObject } from '../../protocol/json';
import { isSecretName, REDACTED, redactSecrets } from '../../tasks';

// Every quantifier is bounded, so that no input causes slow matching.
const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const cardNumberPattern = /\b(?:\d[ -]?){12,18}\d\b/g;
/** A partial card number, such as "ending in 4242". */
const cardEndingPattern = /[•*xX]{2}[•*xX -]{0,30}\d{4}\b|\b(ending (?:in|with) )\d{4}\b/g;
/** Parley's ids of orders, receipts, refunds and approvals. */
const orderIdPattern = /\b(?:ord|rcp|rfd|apv)_[0-9a-z]{8,}/g;

/** Removes secrets, e-mail addresses, card numbers and order ids from a text, for public display. */
export function redactText(text: string): string {
  return redactSecrets(text)
    .replace(emailPattern, '[e-mail]')
    .replace(cardNumberPattern, '[number]')
    .replace(cardEndingPattern, '$1[number]')
    .replace(orderIdPattern, '[order]');
}

/** Applies `redactText` to every string of a value, and removes members with secret names. */
export function redactValue(value: JsonValue): JsonValue {
  return mapTexts(value, redactText);
}

/** Removes secrets from every string of a value, and members with secret names. */
export function redactSecretsIn(value: JsonValue): JsonValue {
  return mapTexts(value, redactSecrets);
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') {
    // A card number may be a JSON number.
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

/** Joins adjacent text parts of the same media type. Needed before redaction: a secret may span two chunks. */
export function mergeTextParts(parts: Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.kind === 'text' && last?.kind === 'text' && part.mediaType === last.mediaType) {
      merged[merged.length - 1] = { ...last, text: last.text + part.text };
    } else merged.push(part);
  }
  return merged;
}
