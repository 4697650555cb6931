/** What stands in place of a secret. */
export const MASKED = '[secret]';

/** What header fields, query parameters and members are named whose value is a secret, whatever it looks like. */
const names = 'auth(?!ors?(?![a-z]))|cookie|token|secret|passw|credential|api[-_]?key|signature|session';
const secretName = new RegExp(names, 'i');

/** What a secret looks like wherever it stands: Parley's own tokens and secrets, and credentials behind their scheme. */
const secretTexts = [/\bparley_[a-z]+_[\w-]{16,}/g, /(?<=\b(?:Bearer|Basic|DPoP) )[\w\-.~+/=]{8,}/gi];

const named = `[\\w-]{0,40}(?:${names})[\\w-]{0,40}`;
/** A string member of JSON with such a name; and one of JSON that stands inside a string, up to what looks like its end. */
const secretMembers = [
  new RegExp(`("${named}"\\s{0,8}:\\s{0,8}")(?:[^"\\\\]|\\\\.)*`, 'gi'),
  new RegExp(`(\\\\{1,8}"${named}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")[^]*?(?=\\\\{1,8}"\\s{0,8}[,}\\]]|$)`, 'gi'),
];

/** A run of all that a JWT is made of, from its beginning on: no text is looked at twice, however many begin in it. */
const dottedRun = /(?<![\w.-])[\w.-]{13,}/g;

function maskJwts(text: string): string {
  return text.replace(dottedRun, (run) => {
    const pieces = run.split('.');
    const shown: string[] = [];
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] ?? '';
      const begin = pieces[at + 1] ? piece.search(/\beyJ[\w-]{8}/) : -1;
      if (begin < 0) shown.push(piece);
      else {
        shown.push(piece.slice(0, begin) + MASKED);
        // The claims and the signature.
        at += 2;
      }
    }
    return shown.join('.');
  });
}

/** True for the name of a header field, query parameter or member whose value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The text without anything that is or looks like a secret. */
export function maskText(text: string): string {
  const plain = secretTexts.reduce((known, pattern) => known.replace(pattern, MASKED), maskJwts(text));
  return secretMembers.reduce((known, member) => known.replace(member, `$1${MASKED}`), plain);
}

/** The header fields, with the values of those that carry secrets masked. */
export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? MASKED : maskText(value)]),
  );
}

/** The address, with the values of query parameters that carry secrets masked. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecretName(name)) url.searchParams.set(name, MASKED);
  }
  return maskText(url.href.replaceAll(encodeURIComponent(MASKED), MASKED));
}
