import { isObject } from '../../json';
import type { CoreCard, CoreExtension } from '../core/card';
import { fault, flagMember, isObjectPlace, listMember, type Need, type Place, textMember, typedMember } from './place';
import { jsonOf } from './read-json';

/** What the agent can do beside answering; of 0.3 also the top-level `supportsAuthenticatedExtendedCard`. */
export function readCapabilities(card: Place, need: Need): CoreCard['capabilities'] {
  const place = typedMember(card, 'capabilities', { type: 'object', need, example: '{"streaming": true}' });
  const flag = (name: string): boolean => (place ? flagMember(place, name) : false);
  return {
    streaming: flag('streaming'),
    pushNotifications: flag('pushNotifications'),
    extendedCard: flag('extendedAgentCard') || flagMember(card, 'supportsAuthenticatedExtendedCard'),
    stateTransitionHistory: flag('stateTransitionHistory'),
    extensions: place ? readExtensions(place) : [],
  };
}

function readExtensions(capabilities: Place): CoreExtension[] {
  const seen = new Set<string>();
  const example = '[{"uri": "https://example.com/extension/v1"}]';
  return listMember(capabilities, 'extensions', { need: 'optional', max: 50, example }).flatMap((place) => {
    if (!isObjectPlace(place, 'each extension')) return [];
    const uri = textMember(place, 'uri', { need: 'required', max: 500, example: '"https://example.com/extension/v1"' });
    if (seen.has(uri)) {
      const words = {
        found: `a second extension "${uri.slice(0, 80)}"`,
        expected: 'each extension once',
        fix: 'Remove one.',
      };
      fault(place, 'extension.duplicate', words);
    }
    seen.add(uri);
    return uri === '' ? [] : [readExtension(place, uri)];
  });
}

function readExtension(place: Place, uri: string): CoreExtension {
  const params = typedMember(place, 'params', { type: 'object', need: 'optional', example: '{}' });
  const value = params ? jsonOf(params.node) : null;
  return {
    uri,
    description: textMember(place, 'description', { need: 'optional', max: 1000, example: '"…"', lines: true }),
    required: flagMember(place, 'required'),
    params: isObject(value) ? value : null,
  };
}
