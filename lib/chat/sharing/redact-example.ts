import { REDACTED } from '../../tasks';
import { redactText } from './redact';

// Every quantifier is bounded, so that no input causes slow matching.
const secretPatterns = [
  // Keys of common providers, and private keys in PEM.
  /\b(?:sk|pk|rk|whsec|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm|hf)[-_][\w-]{12,200}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,60}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  // A long run of letters and digits, such as a hex or base64 key.
  /\b(?=[A-Za-z+_]{0,199}\d)(?=\d{0,199}[A-Za-z+_])[A-Za-z0-9+_]{32,200}={0,2}/g,
];
const namedSecret =
  /\b((?:pass(?:word|code|phrase)?|pwd|pin|secret|token|api[ _-]?key|access[ _-]?key|credentials?)(?:\s{1,3}is|\s{0,3}[:=])\s{0,3})(["'`]?)[^\s"'`]{3,200}/gi;
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
/** International with + or 00; national with a leading 0 or an area code in brackets; 555-123-4567. */
const phones = [
  /(?<![\p{L}\p{N}.,])(?:\+|00)\d(?:[ ()./-]{0,2}\d){7,14}(?!\d)/gu,
  /(?<![\p{L}\p{N}.,/-])\(0?\d{1,5}\)[ /-]?\d(?:[ -]?\d){4,9}(?!\d)/gu,
  /(?<![\p{L}\p{N}.,/-])0\d{2,4}[ /-]?\d(?:[ -]?\d){4,9}(?![\d.,]\d)/gu,
  /(?<![\p{L}\p{N}.,/-])\d{3}[ .-]\d{3}[ .-]\d{4}(?!\d)/gu,
];

/** Masks secrets, email addresses, phone, card and account numbers in a text that becomes public. */
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
