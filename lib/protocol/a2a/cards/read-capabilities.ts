import { isActivatable } from '../../activatable';
import { isObject } from '../../json';
import type { CoreCard, CoreExtension } from '../core/card';
import { quote } from './fault';
import {
  flagMember,
  isObjectPlace,
  listMember,
  type Place,
  textListMember,
  textMember,
  typedMember,
  warn,
} from './place';
import { jsonOf } from './read-json';

/** What the agent can do beside answering; of 0.3 also the top-level `supportsAuthenticatedExtendedCard`. */
export function readCapabilities(card: Place): CoreCard['capabilities'] {
  const place = typedMember(card, 'capabilities', {
    type: 'object',
    need: 'advised',
    example: '{"streaming": true}',
  });
  const tools = place
    ? textListMember(place, 'tools', { need: 'optional', max: 500, maxLength: 200, example: '[]' })
    : [];
  const flag = (name: string): boolean => (place ? flagMember(place, name) : false);
  return {
    streaming: flag('streaming'),
    pushNotifications: flag('pushNotifications'),
    extendedCard: flag('extendedAgentCard') || flagMember(card, 'supportsAuthenticatedExtendedCard'),
    stateTransitionHistory: flag('stateTransitionHistory'),
    ...(tools.length > 0 && { tools }),
    extensions: place ? readExtensions(place) : [],
  };
}

function readExtensions(capabilities: Place): CoreExtension[] {
  const seen = new Set<string>();
  const example = '[{"uri": "https://example.com/extension/v1"}]';
  return listMember(capabilities, 'extensions', { need: 'optional', max: 50, example }).flatMap((place) => {
    if (!isObjectPlace(place, 'each extension')) return [];
    const uri = textMember(place, 'uri', { need: 'advised', max: 500, example: '"https://example.com/extension/v1"' });
    if (seen.has(uri)) {
      const words = {
        found: `a second extension "${uri.slice(0, 80)}"`,
        expected: 'each extension once',
        fix: 'Remove one. Parley reads the first.',
      };
      warn(place, 'extension.duplicate', words);
    }
    if (uri === '' || seen.has(uri)) return [];
    seen.add(uri);
    return [readExtension(place, uri)];
  });
}

function readExtension(place: Place, uri: string): CoreExtension {
  const params = typedMember(place, 'params', { type: 'object', need: 'optional', example: '{}' });
  const value = params ? jsonOf(params.node) : null;
  const required = flagMember(place, 'required');
  if (required && !isActivatable(uri)) warnAboutRequired(place, uri);
  return {
    uri,
    description: textMember(place, 'description', { need: 'optional', max: 1000, example: '"…"', lines: true }),
    required,
    params: isObject(value) ? value : null,
  };
}

/** Programs that support it name it in their calls; people who use the chat are refused by the agent. */
function warnAboutRequired(place: Place, uri: string): void {
  warn(place, 'extension.required', {
    found: `${quote(uri)}, required`,
    expected: 'only extensions that the chat, the CLI and the SDK support: AP2, timestamps, traces',
    fix: 'Answer calls that do not activate it as well, and leave out "required". Until then only programs that send it in A2A-Extensions can call the agent.',
  });
}
