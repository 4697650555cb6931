/** Longest address that becomes a link. */
const MOST_CHARACTERS = 2_048;

/**
 * The address that a link written by somebody else may lead to: absolute, http, https or mailto, without a user name that
 * could pass for the host (XSS-1). It is the parser's own form of the address, so what was checked is what opens. Null
 * for everything else, also for relative addresses, which would lead into Parley.
 */
export function safeHref(address: string): string | null {
  if (address.length > MOST_CHARACTERS || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return url.href;
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' ? url.href : null;
}
