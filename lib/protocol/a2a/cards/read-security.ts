import { CARD_MAX, MAX_OAUTH_FLOW_SCOPES, MAX_OAUTH_FLOWS } from '../../limits';
import type { CoreSecurityRequirement, CoreSecurityScheme } from '../core/card';
import {
  addWarning,
  isObjectNode,
  listMember,
  member,
  memberNames,
  type SourceNode,
  textListMember,
  textMember,
  typedMember,
} from './source-node';

/** A scheme's member name in A2A 1.0, and its `type` in 0.3. */
const kinds = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
} as const;

type Kind = (typeof kinds)[keyof typeof kinds];

/** Returns the schemes in `authentication.schemes` of A2A 0.1; none when the card declares `securitySchemes`. */
function legacySchemeNames(card: SourceNode): string[] {
  if (member(card, 'securitySchemes')) return [];
  const example = '{"schemes": ["bearer"]}';
  const source = typedMember(card, 'authentication', { type: 'object', need: 'optional', example });
  return source
    ? textListMember(source, 'schemes', {
        need: 'optional',
        max: CARD_MAX.legacySchemes,
        maxLength: CARD_MAX.schemeName,
        example: '["bearer"]',
      })
    : [];
}

function toLegacyScheme(name: string): CoreSecurityScheme {
  const common = { description: '' };
  if (/^api[-_ ]?key$/i.test(name)) return { type: 'apiKey', ...common, location: '', name: '' };
  if (/^oauth ?2?(\.0)?$/i.test(name)) return { type: 'oauth2', ...common, flows: [], scopes: [] };
  return { type: 'http', ...common, scheme: name.toLowerCase(), bearerFormat: '' };
}

/**
 * Reads the security schemes in any layout: by `type` (0.3), by member name (1.0) or by scheme name
 * (`authentication.schemes`, 0.1).
 */
export function readSecuritySchemes(card: SourceNode): Record<string, CoreSecurityScheme> {
  const schemes = typedMember(card, 'securitySchemes', { type: 'object', need: 'optional', example: '{}' });
  if (!schemes) return Object.fromEntries(legacySchemeNames(card).map((name) => [name, toLegacyScheme(name)]));
  const entries = memberNames(schemes).flatMap((name): [string, CoreSecurityScheme][] => {
    const source = member(schemes, name);
    if (!source || !isObjectNode(source, 'each security scheme')) return [];
    const scheme = readScheme(source);
    return scheme ? [[name, scheme]] : [];
  });
  return Object.fromEntries(entries);
}

function readScheme(source: SourceNode): CoreSecurityScheme | null {
  const body = schemeBody(source);
  if (!body) {
    const names = memberNames(source).slice(0, 5).join(', ');
    addWarning(source, 'security.scheme', {
      found: names === '' ? 'an empty object' : `an object with ${names}`,
      expected: `"type" with one of ${Object.values(kinds).join(', ')} (A2A 0.3), or one member of ${Object.keys(kinds).join(', ')} (A2A 1.0)`,
      fix: 'Declare the scheme in one of these forms, such as {"type": "http", "scheme": "bearer"}. Parley ignores it.',
    });
    return null;
  }
  const optional = { need: 'optional', max: CARD_MAX.schemeText, example: '"…"' } as const;
  const description = textMember(body.source, 'description', { ...optional, lines: true });
  const text = (name: string): string => textMember(body.source, name, optional);
  switch (body.kind) {
    case 'apiKey':
      return { type: 'apiKey', description, location: text('location') || text('in'), name: text('name') };
    case 'http': {
      const scheme = textMember(body.source, 'scheme', {
        need: 'advised',
        max: CARD_MAX.schemeName,
        example: '"bearer"',
      });
      return { type: 'http', description, scheme, bearerFormat: text('bearerFormat') };
    }
    case 'oauth2':
      return { type: 'oauth2', description, ...readFlows(body.source) };
    case 'openIdConnect':
      return { type: 'openIdConnect', description, url: text('openIdConnectUrl') };
    case 'mutualTLS':
      return { type: 'mutualTLS', description };
  }
}

function schemeBody(source: SourceNode): { kind: Kind; source: SourceNode } | null {
  const type = member(source, 'type')?.node;
  if (type) {
    const kind = Object.values(kinds).find((name) => name === type.value);
    return kind ? { kind, source } : null;
  }
  const wrapped = inMemoryCase(source, 'scheme');
  if (wrapped) {
    const kind = Object.entries(kinds).find(([name]) => name === wrapped.name)?.[1];
    return kind ? { kind, source: wrapped.value } : null;
  }
  const present = Object.entries(kinds).flatMap(([name, kind]) => {
    const body = member(source, name);
    return body ? [{ kind, source: body }] : [];
  });
  const only = present.length === 1 ? present[0] : undefined;
  return only?.source.node.type === 'object' ? only : null;
}

/**
 * Reads a oneof in the in-memory form of the SDK 1.3.0, `{"$case": "…", "value": {…}}`, which its card handler serves.
 */
function inMemoryCase(parent: SourceNode, name: string): { name: string; value: SourceNode } | null {
  const choice = member(parent, name);
  if (choice?.node.type !== 'object') return null;
  const chosen = member(choice, '$case')?.node.value;
  const value = member(choice, 'value');
  return typeof chosen === 'string' && value?.node.type === 'object' ? { name: chosen, value } : null;
}

function readFlows(scheme: SourceNode): { flows: string[]; scopes: string[] } {
  const flows = typedMember(scheme, 'flows', {
    type: 'object',
    need: 'advised',
    example: '{"clientCredentials": {…}}',
  });
  if (!flows) return { flows: [], scopes: [] };
  const wrapped = inMemoryCase(flows, 'flow');
  const named = wrapped
    ? [wrapped]
    : memberNames(flows)
        .slice(0, MAX_OAUTH_FLOWS)
        .map((name) => ({ name, value: member(flows, name) }));
  const scopes = named.flatMap(({ value }) => {
    const listed = value?.node.type === 'object' ? member(value, 'scopes') : null;
    return listed?.node.type === 'object' ? memberNames(listed) : [];
  });
  return { flows: named.map(({ name }) => name), scopes: [...new Set(scopes)].slice(0, MAX_OAUTH_FLOW_SCOPES) };
}

/**
 * Reads the alternatives for authentication: `securityRequirements` (1.0) or `security` (0.3), whose names must be
 * declared, or any one of the schemes of 0.1.
 */
export function readSecurity(card: SourceNode, read: Record<string, CoreSecurityScheme>): CoreSecurityRequirement[] {
  const schemes = member(card, 'securitySchemes');
  if (!schemes && Object.keys(read).length > 0) return Object.keys(read).map((name) => ({ [name]: [] }));
  const declared = schemes?.node.type === 'object' ? memberNames(schemes) : [];
  const name = member(card, 'securityRequirements') ? 'securityRequirements' : 'security';
  return listMember(card, name, {
    need: 'optional',
    max: CARD_MAX.securityRequirements,
    example: '[{"bearer": []}]',
  }).flatMap((source) => {
    if (!isObjectNode(source, 'each requirement')) return [];
    const wrapped = member(source, 'schemes');
    const names = wrapped?.node.type === 'object' ? wrapped : source;
    return [readRequirement(names, declared)];
  });
}

function readRequirement(source: SourceNode, declared: string[]): CoreSecurityRequirement {
  const entries = memberNames(source).flatMap((name): [string, string[]][] => {
    const scopes = member(source, name);
    if (!scopes) return [];
    if (!declared.includes(name)) {
      addWarning(scopes, 'security.undefined-scheme', {
        found: `a requirement of "${name.slice(0, 80)}"`,
        expected: 'a name declared in "securitySchemes"',
        fix: `Declare "${name.slice(0, 80)}" in "securitySchemes", or remove the requirement.`,
      });
    }
    return [[name, readScopes(source, scopes, name)]];
  });
  return Object.fromEntries(entries);
}

function readScopes(parent: SourceNode, scopes: SourceNode, name: string): string[] {
  const rule = { need: 'optional', max: CARD_MAX.scopes, maxLength: CARD_MAX.scope, example: '[]' } as const;
  return scopes.node.type === 'object' ? textListMember(scopes, 'list', rule) : textListMember(parent, name, rule);
}
