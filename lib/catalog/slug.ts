import { newId } from '../platform/ids';
import { latinOf } from './search-text';

const maxLength = 48;
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Words that our own paths, hosts and people's expectations need. */
const reserved = new Set(
  `a2a about account accounts admin agent agents api app apps assets auth billing blog catalog catalogue chat console
  conversations dashboard dev developer developers device docs download edit favicon feed gone health healthz help home
  index jsonrpc jwks legal login logout mail me metrics my new null oauth order orders parley payments preview pricing
  privacy profile public readyz register rest robots root search security settings sign-in sign-out sign-up signin signout
  signup sitemap society static status support system team terms token tokens undefined user users v1 web well-known ws
  www`.split(/\s+/),
);

/** True when an agent may be called that; else why not, in words. */
export function slugFault(slug: string): string | null {
  if (slug.length < 2 || slug.length > maxLength || !slugPattern.test(slug)) {
    return `Found "${slug.slice(0, 60)}", expected 2 to ${maxLength} lower-case letters, digits and single hyphens, such as my-cool-agent.`;
  }
  return reserved.has(slug) ? `The slug "${slug}" is reserved. Choose another one.` : null;
}

/**
 * The slug that follows from an agent's name, as on Web42: "My Cool Agent" is `my-cool-agent`. Names without Latin
 * letters get `agent-` and six random characters.
 */
export function slugOf(name: string): string {
  const words = latinOf(name).match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, maxLength - 4)
    .replace(/-$/, '');
  if (slug.length < 2 || !/[a-z]/.test(slug)) return `agent-${newId('agt').slice(-6)}`;
  return reserved.has(slug) ? `${slug}-agent` : slug;
}

/** The slug itself when it is free, else with the first free number: `-2`, `-3`, … */
export function freeSlug(slug: string, taken: Set<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
