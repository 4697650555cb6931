const masked = '[secret]';

/** What header fields, query parameters and members are named whose value is a secret, whatever it looks like. */
const names = 'auth(?!ors?(?![a-z]))|cookie|token|secret|passw|credential|api[-_]?key|signature|session';
const secretName = new RegExp(names, 'i');

/** What a secret looks like wherever it stands: JWTs, Parley's own tokens and secrets, and credentials behind their scheme. */
const secretTexts = [
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  /\bparley_[a-z]+_[\w-]{16,}/g,
  /(?<=\b(?:Bearer|Basic|DPoP) )[\w\-.~+/=]{8,}/gi,
];

const named = `[\\w-]{0,40}(?:${names})[\\w-]{0,40}`;
/** A string member of JSON with such a name; and one of JSON that stands inside a string, up to what looks like its end. */
const secretMembers = [
  new RegExp(`("${named}"\\s{0,8}:\\s{0,8}")(?:[^"\\\\]|\\\\.)*`, 'gi'),
  new RegExp(`(\\\\{1,8}"${named}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")[^]*?(?=\\\\{1,8}"\\s{0,8}[,}\\]]|$)`, 'gi'),
];

/** The text without anything that is or looks like a secret. */
export function maskText(text: string): string {
  const plain = secretTexts.reduce((known, pattern) => known.replace(pattern, masked), text);
  return secretMembers.reduce((known, member) => known.replace(member, `$1${masked}`), plain);
}

/** The header fields, with the values of those that carry secrets masked. */
export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? masked : maskText(value)]),
  );
}

/** The address, with the values of query parameters that carry secrets masked. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  for (const name of new Set(url.searchParams.keys())) {
    if (secretName.test(name)) url.searchParams.set(name, masked);
  }
  return maskText(url.href.replaceAll(encodeURIComponent(masked), masked));
}
