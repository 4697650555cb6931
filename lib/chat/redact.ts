import { maskText } from '../gateway';
import type { JsonValue } from '../protocol/json';
import { isObject } from '../protocol/json';

const mail = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Numbers of cards, whole or as "ending in 4242". */
const card = /\b(?:\d[ -]?){12,18}\d\b/g;
const cardEnd = /(?:[•*xX]{2,}[ -]?)+\d{4}\b|\b(ending (?:in|with) )\d{4}\b/g;
/** Parley's own names of orders, receipts and refunds. */
const order = /\b(?:ord|rcp|rfd|apv)_[0-9a-z]{8,}/g;

/** A text as strangers may read it: without secrets, addresses of mail, numbers of cards and names of orders. */
export function redactText(text: string): string {
  return maskText(text)
    .replace(mail, '[e-mail]')
    .replace(card, '[number]')
    .replace(cardEnd, '$1[number]')
    .replace(order, '[order]');
}

/** A value with all of its texts redacted. */
export function redactValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactText(name), redactValue(member ?? null)]),
  );
}
