import type { CoreCard } from '../core/card';
import { addWarning, describeNode, type SourceNode, textMember, typedMember } from './source-node';

/** A link that a person may follow: http or https. Anything else is left out with a warning (XSS-1). */
export function linkMember(parent: SourceNode, name: string): string | null {
  const source = typedMember(parent, name, { type: 'string', need: 'optional', example: '"https://example.com"' });
  if (!source || source.node.value === '') return null;
  const text = String(source.node.value).trim();
  if (text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href;
  addWarning(source, 'url.web', {
    found: describeNode(source.node),
    expected: 'an absolute http or https address',
    fix: `Correct or remove "${name}". Parley leaves it out.`,
  });
  return null;
}

/** Who stands behind the agent; null when the card does not say so in full. */
export function readProvider(card: SourceNode): CoreCard['provider'] {
  const source = typedMember(card, 'provider', {
    type: 'object',
    need: 'optional',
    example: '{"organization": "…", "url": "…"}',
  });
  if (!source) return null;
  const organization = textMember(source, 'organization', { need: 'advised', max: 200, example: '"Example Ltd"' });
  const url = linkMember(source, 'url');
  return organization !== '' && url !== null ? { organization, url } : null;
}
