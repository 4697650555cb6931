/** Maximum length of a linked URL. */
const MAX_CHARACTERS = 2_048;

/**
 * The safe URL of a third-party link: absolute; http, https or mailto; no user name that could imitate the host.
 * Serialized by the parser, so that what was checked is what opens. Null otherwise, also for relative URLs, which would
 * lead into Parley.
 */
export function safeHref(address: string): string | null {
  if (address.length > MAX_CHARACTERS || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return url.href;
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' ? url.href : null;
}
