import type { Part } from '../protocol/a2a/core/model';

/** Formats of keys, tokens and other secrets. */
const secretPatterns: RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // Prefixes of keys of well-known services, and of Parley.
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:gh[pousr]|glpat|xox[abprs]|parley|npm|hf)[-_][A-Za-z0-9_-]{16,}/,
  /\bAIza[A-Za-z0-9_-]{30,}/,
  // A JSON web token.
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  // A name of a secret with its value, in several languages.
  /\b(?:pass(?:word|wort|phrase|code)?|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|pwd|pin|tan|otp|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key|credentials?)\b["']?\s*(?:is|ist|es|:|=)\s*["']?\S{4,}/i,
  /\bauthorization:\s*(?:bearer|basic)\s+\S{8,}/i,
  /:\/\/[^\s/:@]+:[^\s/@]{3,}@/,
  // An IBAN.
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/,
  // A social security number of the US.
  /\b\d{3}-\d{2}-\d{4}\b/,
  // Long random text: a key in hexadecimal digits, or one of mixed letters and digits.
  /\b[0-9a-f]{32,}\b/i,
  /(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])[A-Za-z0-9+/_-]{32,}/,
];

/** True for a message with a file or data, or with text in the format of a key, a password or a card number. */
export function looksPrivate(parts: Part[]): boolean {
  return parts.some((part) => part.kind !== 'text' || holdsSecret(part.text));
}

function holdsSecret(text: string): boolean {
  return secretPatterns.some((pattern) => pattern.test(text)) || holdsCardNumber(text);
}

/** A number of 13 to 19 digits, possibly in groups, with a valid check digit (ISO/IEC 7812-1). */
function holdsCardNumber(text: string): boolean {
  for (const [found] of text.matchAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g)) {
    const digits = found.replace(/\D/g, '');
    let sum = 0;
    for (let index = 0; index < digits.length; index++) {
      const digit = Number(digits[digits.length - 1 - index]);
      const doubled = index % 2 === 1 ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    if (sum % 10 === 0) return true;
  }
  return false;
}
