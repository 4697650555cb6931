import { isSupportedExtension } from '../../extensions';
import { isObject } from '../../json';
import { CARD_MAX, MAX_CARD_URL_LENGTH } from '../../limits';
import type { CoreCard, CoreExtension } from '../core/card';
import { quote } from './diagnostics';
import { jsonOf } from './read-json';
import { readSecurity, readSecuritySchemes } from './read-security';
import { modesMember, readSkills } from './read-skills';
import {
  addWarning,
  booleanMember,
  describeNode,
  isObjectNode,
  listMember,
  type SourceNode,
  textListMember,
  textMember,
  typedMember,
} from './source-node';

/** Returns a link, http or https only. All other values are omitted with a warning. */
function linkMember(parent: SourceNode, name: string): string | null {
  const source = typedMember(parent, name, { type: 'string', need: 'optional', example: '"https://example.com"' });
  if (!source || source.node.value === '') return null;
  const text = String(source.node.value).trim();
  if (text.length <= MAX_CARD_URL_LENGTH && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return new URL(text).href;
  addWarning(source, 'url.web', {
    found: describeNode(source.node),
    expected: 'an absolute http or https URL',
    fix: `Fix or remove "${name}". Parley ignores it.`,
  });
  return null;
}

/** Returns the agent's provider; null if incomplete. */
function readProvider(card: SourceNode): CoreCard['provider'] {
  const source = typedMember(card, 'provider', {
    type: 'object',
    need: 'optional',
    example: '{"organization": "…", "url": "…"}',
  });
  if (!source) return null;
  const organization = textMember(source, 'organization', {
    need: 'advised',
    max: CARD_MAX.organization,
    example: '"Example Ltd"',
  });
  const url = linkMember(source, 'url');
  return organization !== '' && url !== null ? { organization, url } : null;
}

/** Returns the agent's capabilities; includes the top-level `supportsAuthenticatedExtendedCard` of 0.3. */
function readCapabilities(card: SourceNode): CoreCard['capabilities'] {
  const source = typedMember(card, 'capabilities', {
    type: 'object',
    need: 'advised',
    example: '{"streaming": true}',
  });
  const tools = source
    ? textListMember(source, 'tools', {
        need: 'optional',
        max: CARD_MAX.tools,
        maxLength: CARD_MAX.toolName,
        example: '[]',
      })
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
  return listMember(capabilities, 'extensions', { need: 'optional', max: CARD_MAX.extensions, example }).flatMap(
    (source) => {
      if (!isObjectNode(source, 'each extension')) return [];
      const uri = textMember(source, 'uri', {
        need: 'advised',
        max: CARD_MAX.extensionUri,
        example: '"https://example.com/extension/v1"',
      });
      if (seen.has(uri)) {
        const details = {
          found: `a second extension "${uri.slice(0, 80)}"`,
          expected: 'each extension once',
          fix: 'Remove one of them. Parley uses the first.',
        };
        addWarning(source, 'extension.duplicate', details);
      }
      if (uri === '' || seen.has(uri)) return [];
      seen.add(uri);
      return [readExtension(source, uri)];
    },
  );
}

function readExtension(source: SourceNode, uri: string): CoreExtension {
  const params = typedMember(source, 'params', { type: 'object', need: 'optional', example: '{}' });
  const value = params ? jsonOf(params.node) : null;
  const required = booleanMember(source, 'required');
  if (required && !isSupportedExtension(uri)) warnAboutRequired(source, uri);
  return {
    uri,
    description: textMember(source, 'description', {
      need: 'optional',
      max: CARD_MAX.extensionDescription,
      example: '"…"',
      lines: true,
    }),
    required,
    params: isObject(value) ? value : null,
  };
}

/**
 * Warns about a required extension that Parley's own clients do not activate: the agent rejects calls from the chat,
 * while other clients may activate it.
 */
function warnAboutRequired(source: SourceNode, uri: string): void {
  addWarning(source, 'extension.required', {
    found: `${quote(uri)}, required`,
    expected: 'only extensions that the chat, the CLI and the SDK support: AP2, timestamps, traces',
    fix: 'Also answer calls that do not activate it, and remove "required". Until then, only programs that send it in A2A-Extensions can call the agent.',
  });
}

/** Returns all members of a card except its interfaces. */
export function readMembers(card: SourceNode): Omit<CoreCard, 'interfaces'> {
  const securitySchemes = readSecuritySchemes(card);
  return {
    name: textMember(card, 'name', { need: 'required', max: CARD_MAX.name, example: '"Translator"' }),
    description: textMember(card, 'description', {
      need: 'advised',
      max: CARD_MAX.description,
      example: '"Translates documents between languages"',
      lines: true,
    }),
    version: textMember(card, 'version', { need: 'advised', max: CARD_MAX.version, example: '"1.0.0"' }) || '0.0.0',
    provider: readProvider(card),
    documentationUrl: linkMember(card, 'documentationUrl'),
    iconUrl: linkMember(card, 'iconUrl'),
    capabilities: readCapabilities(card),
    securitySchemes,
    security: readSecurity(card, securitySchemes),
    inputModes: orPlainText(modesMember(card, 'defaultInputModes', 'advised')),
    outputModes: orPlainText(modesMember(card, 'defaultOutputModes', 'advised')),
    skills: readSkills(card),
  };
}

function orPlainText(modes: string[]): string[] {
  return modes.length > 0 ? modes : ['text/plain'];
}
