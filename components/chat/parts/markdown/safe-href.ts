/** Maximum length of a linked URL. */
const MAX_CHARACTERS = 2_048;

/**
 * Returns the safe URL of a third-party link. It must be absolute, use http, https or mailto, and contain no user name,
 * which could imitate the host. It is serialized by the parser, so that exactly the checked URL is opened. Null for all
 * others, including relative URLs, which would refer to Parley.
 */
export function safeHref(address: string): string | null {
  if (address.length > MAX_CHARACTERS || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return url.href;
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' ? url.href : null;
}
