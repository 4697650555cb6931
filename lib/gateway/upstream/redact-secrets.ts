/** What stands in place of a secret. */
export const REDACTED = '[secret]';

/** What header fields, query parameters and members are named whose value is a secret, whatever it looks like. */
const secretNamePattern = 'auth(?!ors?(?![a-z]))|cookie|token|secret|passw|credential|api[-_]?key|signature|session';
const secretName = new RegExp(secretNamePattern, 'i');

/** What a secret looks like wherever it stands: Parley's own tokens and secrets, and credentials behind their scheme. */
const secretTexts = [/\bparley_[a-z]+_[\w-]{16,}/g, /(?<=\b(?:Bearer|Basic|DPoP) )[\w\-.~+/=]{8,}/gi];

const secretMemberName = `[\\w-]{0,40}(?:${secretNamePattern})[\\w-]{0,40}`;
/** A string member of JSON with such a name; and one of JSON that stands inside a string, up to what looks like its end. */
const secretMembers = [
  new RegExp(`("${secretMemberName}"\\s{0,8}:\\s{0,8}")(?:[^"\\\\]|\\\\.)*`, 'gi'),
  new RegExp(
    `(\\\\{1,8}"${secretMemberName}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")[^]*?(?=\\\\{1,8}"\\s{0,8}[,}\\]]|$)`,
    'gi',
  ),
];

/** A run of all that a JWT is made of, from its beginning on: no text is looked at twice, however many begin in it. */
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
        // The claims and the signature.
        at += 2;
      }
    }
    return output.join('.');
  });
}

/** True for the name of a header field, query parameter or member whose value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The text without anything that is or looks like a secret. */
export function redactSecrets(text: string): string {
  const redacted = secretTexts.reduce((known, pattern) => known.replace(pattern, REDACTED), redactJwts(text));
  return secretMembers.reduce((known, member) => known.replace(member, `$1${REDACTED}`), redacted);
}

/** The header fields, with the values of those that carry secrets masked. */
export function redactHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? REDACTED : redactSecrets(value)]),
  );
}

/** The address, with the values of query parameters that carry secrets masked. */
export function redactUrl(text: string): string {
  const url = new URL(text);
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecretName(name)) url.searchParams.set(name, REDACTED);
  }
  return redactSecrets(url.href.replaceAll(encodeURIComponent(REDACTED), REDACTED));
}
