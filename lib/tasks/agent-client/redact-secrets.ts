/** The text that replaces a secret. */
export const REDACTED = '[secret]';

/** Names of header fields, query parameters and members whose value is always a secret. */
const secretNamePattern = 'auth(?!ors?(?![a-z]))|cookie|token|secret|passw|credential|api[-_]?key|signature|session';
const secretName = new RegExp(secretNamePattern, 'i');

/** Patterns of secrets in any text: Parley's own tokens and secrets, and credentials after their scheme. */
const secretTexts = [/\bparley_[a-z]+_[\w-]{16,}/g, /(?<=\b(?:Bearer|Basic|DPoP) )[\w\-.~+/=]{8,}/gi];

const secretMemberName = `[\\w-]{0,40}(?:${secretNamePattern})[\\w-]{0,40}`;
/** Strings of members with such a name, in JSON and in JSON within a string, up to their likely end. */
const secretMembers = [
  new RegExp(`("${secretMemberName}"\\s{0,8}:\\s{0,8}")(?:[^"\\\\]|\\\\.)*`, 'gi'),
  new RegExp(
    `(\\\\{1,8}"${secretMemberName}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")[^]*?(?=\\\\{1,8}"\\s{0,8}[,}\\]]|$)`,
    'gi',
  ),
];

/** A maximal run of JWT characters, so that no text is scanned twice. */
const dottedRun = /(?<![\w.-])[\w.-]{13,}/g;

function redactJwts(text: string): string {
  return text.replace(dottedRun, (run) => {
    const segments = run.split('.');
    const output: string[] = [];
    for (let at = 0; at < segments.length; at++) {
      const segment = segments[at] ?? '';
      const start = segments[at + 1] ? segment.search(/\beyJ[\w-]{8}/) : -1;
      if (start < 0) output.push(segment);
      else {
        output.push(segment.slice(0, start) + REDACTED);
        // Skips the claims and the signature.
        at += 2;
      }
    }
    return output.join('.');
  });
}

/** Returns true for a header field, query parameter or member name whose value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Redacts all text that is or may be a secret. */
export function redactSecrets(text: string): string {
  const redacted = secretTexts.reduce((known, pattern) => known.replace(pattern, REDACTED), redactJwts(text));
  return secretMembers.reduce((known, member) => known.replace(member, `$1${REDACTED}`), redacted);
}

/** Redacts the values of header fields that contain secrets. */
export function redactHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? REDACTED : redactSecrets(value)]),
  );
}

/** Redacts the values of query parameters that contain secrets, and all other text that is or may be a secret. */
export function redactUrl(text: string): string {
  const url = new URL(text);
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecretName(name)) url.searchParams.set(name, REDACTED);
  }
  return redactSecrets(url.href.replaceAll(encodeURIComponent(REDACTED), REDACTED));
}

/** Returns a function that redacts a call's own secrets, by `redact`, and all text that is or may be a secret. */
export function callRedactor(redact: (text: string) => string): {
  text: (text: string) => string;
  headers: (headers: Record<string, string>) => Record<string, string>;
  url: (url: string) => string;
} {
  return {
    text: (text) => redactSecrets(redact(text)),
    headers: (headers) =>
      Object.fromEntries(Object.entries(redactHeaders(headers)).map(([name, value]) => [name, redact(value)])),
    url: (url) => redact(redactUrl(url)),
  };
}

/** Returns the start of a text, truncated at a word boundary, because a partial secret would not be recognized. */
export function truncate(text: string, maxChars: number): string {
  return `${text.slice(0, maxChars).replace(/[^\s",]*$/, '')} …`;
}
