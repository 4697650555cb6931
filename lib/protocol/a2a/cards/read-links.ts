import type { CoreCard } from '../core/card';
import { asFound, type Place, textMember, typedMember, warn } from './place';

/** A link that a person may follow: http or https. Anything else is left out with a warning (XSS-1). */
export function linkMember(parent: Place, name: string): string | null {
  const place = typedMember(parent, name, { type: 'string', need: 'optional', example: '"https://example.com"' });
  if (!place || place.node.value === '') return null;
  const text = String(place.node.value).trim();
  if (text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href;
  warn(place, 'url.web', {
    found: asFound(place.node),
    expected: 'an absolute http or https address',
    fix: `Correct or remove "${name}". Parley leaves it out.`,
  });
  return null;
}

/** Who stands behind the agent; null when the card does not say so in full. */
export function readProvider(card: Place): CoreCard['provider'] {
  const place = typedMember(card, 'provider', {
    type: 'object',
    need: 'optional',
    example: '{"organization": "…", "url": "…"}',
  });
  if (!place) return null;
  const organization = textMember(place, 'organization', { need: 'advised', max: 200, example: '"Example Ltd"' });
  const url = linkMember(place, 'url');
  return organization !== '' && url !== null ? { organization, url } : null;
}
