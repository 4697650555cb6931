import { isObject } from '../../json';
import { isSupportedExtension } from '../../supported-extensions';
import type { CoreCard, CoreExtension } from '../core/card';
import { quote } from './diagnostics';
import { jsonOf } from './read-json';
import {
  addWarning,
  booleanMember,
  isObjectNode,
  listMember,
  type SourceNode,
  textListMember,
  textMember,
  typedMember,
} from './source-node';

/** What the agent can do beside answering; of 0.3 also the top-level `supportsAuthenticatedExtendedCard`. */
export function readCapabilities(card: SourceNode): CoreCard['capabilities'] {
  const source = typedMember(card, 'capabilities', {
    type: 'object',
    need: 'advised',
    example: '{"streaming": true}',
  });
  const tools = source
    ? textListMember(source, 'tools', { need: 'optional', max: 500, maxLength: 200, example: '[]' })
    : [];
  const flag = (name: string): boolean => (source ? booleanMember(source, name) : false);
  return {
    streaming: flag('streaming'),
    pushNotifications: flag('pushNotifications'),
    extendedCard: flag('extendedAgentCard') || booleanMember(card, 'supportsAuthenticatedExtendedCard'),
    stateTransitionHistory: flag('stateTransitionHistory'),
    ...(tools.length > 0 && { tools }),
    extensions: source ? readExtensions(source) : [],
  };
}

function readExtensions(capabilities: SourceNode): CoreExtension[] {
  const seen = new Set<string>();
  const example = '[{"uri": "https://example.com/extension/v1"}]';
  return listMember(capabilities, 'extensions', { need: 'optional', max: 50, example }).flatMap((source) => {
    if (!isObjectNode(source, 'each extension')) return [];
    const uri = textMember(source, 'uri', { need: 'advised', max: 500, example: '"https://example.com/extension/v1"' });
    if (seen.has(uri)) {
      const words = {
        found: `a second extension "${uri.slice(0, 80)}"`,
        expected: 'each extension once',
        fix: 'Remove one. Parley reads the first.',
      };
      addWarning(source, 'extension.duplicate', words);
    }
    if (uri === '' || seen.has(uri)) return [];
    seen.add(uri);
    return [readExtension(source, uri)];
  });
}

function readExtension(source: SourceNode, uri: string): CoreExtension {
  const params = typedMember(source, 'params', { type: 'object', need: 'optional', example: '{}' });
  const value = params ? jsonOf(params.node) : null;
  const required = booleanMember(source, 'required');
  if (required && !isSupportedExtension(uri)) warnAboutRequired(source, uri);
  return {
    uri,
    description: textMember(source, 'description', { need: 'optional', max: 1000, example: '"…"', lines: true }),
    required,
    params: isObject(value) ? value : null,
  };
}

/** Programs that support it name it in their calls; people who use the chat are refused by the agent. */
function warnAboutRequired(source: SourceNode, uri: string): void {
  addWarning(source, 'extension.required', {
    found: `${quote(uri)}, required`,
    expected: 'only extensions that the chat, the CLI and the SDK support: AP2, timestamps, traces',
    fix: 'Answer calls that do not activate it as well, and leave out "required". Until then only programs that send it in A2A-Extensions can call the agent.',
  });
}
