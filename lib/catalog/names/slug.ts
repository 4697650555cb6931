import { newId } from '../../platform/ids';
import { latinOf } from '../agents/search-text';
import { MAX_QUOTED_SLUG, MAX_SLUG_LENGTH, MIN_SLUG_LENGTH, SLUG_SUFFIX_LENGTH } from '../limits';

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Slugs that Parley's paths and hosts use, or that users would mistake for Parley's own. */
const reserved = new Set(
  `a2a about account accounts admin agent agents api app apps assets auth billing blog catalog catalogue chat concierge console
  conversations dashboard dev developer developers device docs download edit favicon feed gone health healthz help home
  index jsonrpc jwks legal login logout mail me metrics my new null oauth order orders parley payments preview pricing
  privacy profile public readyz register rest robots root search security settings sign-in sign-out sign-up signin signout
  signup sitemap society static status support system team terms token tokens undefined user users v1 web well-known ws
  www`.split(/\s+/),
);

/** The reason why a slug is invalid, or null. */
export function slugFault(slug: string): string | null {
  if (slug.length < MIN_SLUG_LENGTH || slug.length > MAX_SLUG_LENGTH || !slugPattern.test(slug)) {
    return `Found "${slug.slice(0, MAX_QUOTED_SLUG)}", expected ${MIN_SLUG_LENGTH} to ${MAX_SLUG_LENGTH} lowercase letters, digits and single hyphens, such as my-cool-agent.`;
  }
  return reserved.has(slug) ? `The slug "${slug}" is reserved. Choose another one.` : null;
}

/**
 * The slug of an agent's name, as on Web42: "My Cool Agent" → `my-cool-agent`; `agent-<random>` without Latin letters.
 */
export function slugOf(name: string): string {
  const words = latinOf(name).match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, MAX_SLUG_LENGTH - SLUG_SUFFIX_LENGTH)
    .replace(/-$/, '');
  if (slug.length < MIN_SLUG_LENGTH || !/[a-z]/.test(slug)) return `agent-${newId('agt').slice(-6)}`;
  return reserved.has(slug) ? `${slug}-agent` : slug;
}

/** The slug if it is free, else with the first free suffix: `-2`, `-3`, … */
export function freeSlug(slug: string, taken: Set<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
