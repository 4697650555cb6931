/** The URL under which an agent is listed that connects to Parley instead of having an address. */
export function hubUrlOf(slug: string): string {
  return `ws-agent://${slug}`;
}

/** True for {@link hubUrlOf} of any slug. */
export function isHubUrl(url: string): boolean {
  return url.startsWith('ws-agent://');
}
