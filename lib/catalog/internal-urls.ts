/** Returns the URL under which an agent is listed that connects to Parley instead of having its own URL. */
export function hubUrlOf(slug: string): string {
  return `ws-agent://${slug}`;
}

/** Returns true for {@link hubUrlOf} of any slug. */
export function isHubUrl(url: string): boolean {
  return url.startsWith('ws-agent://');
}

/** The owner of the agents that Parley runs itself. Not the id of any user. */
export const BUILT_IN_OWNER = 'parley';

/** Returns the URL under which an agent is listed that Parley runs itself. */
export function builtInUrlOf(slug: string): string {
  return `parley://${slug}`;
}

/** Returns true for {@link builtInUrlOf} of any slug. */
export function isBuiltInUrl(url: string): boolean {
  return url.startsWith('parley://');
}
