import type { Part } from '../../protocol/a2a/core/model';
import { isObject, type JsonValue } from '../../protocol/json';
import { isSecretName, REDACTED, redactSecrets } from '../../tasks';

// Every quantifier is bounded, so that no input causes slow matching.
const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const cardNumberPattern = /\b(?:\d[ -]?){12,18}\d\b/g;
/** A partial card number, such as "ending in 4242". */
const cardEndingPattern = /[•*xX]{2}[•*xX -]{0,30}\d{4}\b|\b(ending (?:in|with) )\d{4}\b/g;
/** Parley's ids of orders, receipts, refunds and approvals. */
const orderIdPattern = /\b(?:ord|rcp|rfd|apv)_[0-9a-z]{8,}/g;

/** Removes secrets, email addresses, card numbers and order ids from a text, for public display. */
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

/**
 * Joins adjacent text parts of the same media type. Required before redaction, because a secret may span two chunks.
 */
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

// Every quantifier is bounded, so that no input causes slow matching.
const secretPatterns = [
  // Keys of common providers, and private keys in PEM.
  /\b(?:sk|pk|rk|whsec|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm|hf)[-_][\w-]{12,200}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,60}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  // A long run of letters and digits, such as a hexadecimal or base64 key.
  /\b(?=[A-Za-z+_]{0,199}\d)(?=\d{0,199}[A-Za-z+_])[A-Za-z0-9+_]{32,200}={0,2}/g,
];
const namedSecret =
  /\b((?:pass(?:word|code|phrase)?|pwd|pin|secret|token|api[ _-]?key|access[ _-]?key|credentials?)(?:\s{1,3}is|\s{0,3}[:=])\s{0,3})(["'`]?)[^\s"'`]{3,200}/gi;
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
/**
 * Phone numbers: international with + or 00, national with a leading 0 or an area code in brackets, and 555-123-4567.
 */
const phones = [
  /(?<![\p{L}\p{N}.,])(?:\+|00)\d(?:[ ()./-]{0,2}\d){7,14}(?!\d)/gu,
  /(?<![\p{L}\p{N}.,/-])\(0?\d{1,5}\)[ /-]?\d(?:[ -]?\d){4,9}(?!\d)/gu,
  /(?<![\p{L}\p{N}.,/-])0\d{2,4}[ /-]?\d(?:[ -]?\d){4,9}(?![\d.,]\d)/gu,
  /(?<![\p{L}\p{N}.,/-])\d{3}[ .-]\d{3}[ .-]\d{4}(?!\d)/gu,
];

/** Masks secrets, email addresses, and phone, card and account numbers in a text that becomes public. */
export function redactExample(text: string): string {
  const withoutSecrets = secretPatterns
    .reduce((known, pattern) => known.replace(pattern, REDACTED), text)
    .replace(namedSecret, `$1$2${REDACTED}`);
  const withoutNumbers = phones.reduce(
    (known, pattern) => known.replace(pattern, '[phone]'),
    withoutSecrets.replace(iban, '[number]'),
  );
  return redactText(withoutNumbers);
}
