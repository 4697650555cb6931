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

/** The member that carries each kind of scheme in A2A 1.0, and the value of `type` in 0.3. */
const kinds = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
} as const;

type Kind = (typeof kinds)[keyof typeof kinds];

/** The schemes that A2A 0.1 names in `authentication.schemes`; none when the card declares `securitySchemes`. */
function legacySchemeNames(card: SourceNode): string[] {
  if (member(card, 'securitySchemes')) return [];
  const example = '{"schemes": ["bearer"]}';
  const source = typedMember(card, 'authentication', { type: 'object', need: 'optional', example });
  return source
    ? textListMember(source, 'schemes', { need: 'optional', max: 20, maxLength: 60, example: '["bearer"]' })
    : [];
}

function toLegacyScheme(name: string): CoreSecurityScheme {
  const common = { description: '' };
  if (/^api[-_ ]?key$/i.test(name)) return { type: 'apiKey', ...common, location: '', name: '' };
  if (/^oauth ?2?(\.0)?$/i.test(name)) return { type: 'oauth2', ...common, flows: [], scopes: [] };
  return { type: 'http', ...common, scheme: name.toLowerCase(), bearerFormat: '' };
}

/**
 * The security schemes in any shape: told by `type` (0.3), by the member they stand in (1.0), or by their names alone
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
      fix: 'Declare the scheme in one of these shapes, such as {"type": "http", "scheme": "bearer"}. Parley leaves it out.',
    });
    return null;
  }
  const optional = { need: 'optional', max: 1000, example: '"…"' } as const;
  const description = textMember(body.source, 'description', { ...optional, lines: true });
  const text = (name: string): string => textMember(body.source, name, optional);
  switch (body.kind) {
    case 'apiKey':
      return { type: 'apiKey', description, location: text('location') || text('in'), name: text('name') };
    case 'http': {
      const scheme = textMember(body.source, 'scheme', { need: 'advised', max: 60, example: '"bearer"' });
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

function schemeBody(place: SourceNode): { kind: Kind; source: SourceNode } | null {
  const type = member(place, 'type')?.node;
  if (type) {
    const kind = Object.values(kinds).find((name) => name === type.value);
    return kind ? { kind, source: place } : null;
  }
  const wrapped = inMemoryCase(place, 'scheme');
  if (wrapped) {
    const kind = Object.entries(kinds).find(([name]) => name === wrapped.name)?.[1];
    return kind ? { kind, source: wrapped.value } : null;
  }
  const present = Object.entries(kinds).flatMap(([name, kind]) => {
    const body = member(place, name);
    return body ? [{ kind, source: body }] : [];
  });
  const only = present.length === 1 ? present[0] : undefined;
  return only?.source.node.type === 'object' ? only : null;
}

/**
 * What stands in a member as the SDK 1.3.0 holds a choice in memory, `{"$case": "…", "value": {…}}`: its handler for cards
 * serves them so.
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
        .slice(0, 10)
        .map((name) => ({ name, value: member(flows, name) }));
  const scopes = named.flatMap(({ value }) => {
    const listed = value?.node.type === 'object' ? member(value, 'scopes') : null;
    return listed?.node.type === 'object' ? memberNames(listed) : [];
  });
  return { flows: named.map(({ name }) => name), scopes: [...new Set(scopes)].slice(0, 50) };
}

/**
 * What a caller must satisfy: `securityRequirements` (1.0), `security` (0.3), whose every name must be declared, or any
 * one of the schemes that 0.1 names.
 */
export function readSecurity(card: SourceNode, read: Record<string, CoreSecurityScheme>): CoreSecurityRequirement[] {
  const schemes = member(card, 'securitySchemes');
  if (!schemes && Object.keys(read).length > 0) return Object.keys(read).map((name) => ({ [name]: [] }));
  const declared = schemes?.node.type === 'object' ? memberNames(schemes) : [];
  const name = member(card, 'securityRequirements') ? 'securityRequirements' : 'security';
  return listMember(card, name, { need: 'optional', max: 50, example: '[{"bearer": []}]' }).flatMap((place) => {
    if (!isObjectNode(place, 'each requirement')) return [];
    const wrapped = member(place, 'schemes');
    const names = wrapped?.node.type === 'object' ? wrapped : place;
    return [readRequirement(names, declared)];
  });
}

function readRequirement(place: SourceNode, declared: string[]): CoreSecurityRequirement {
  const entries = memberNames(place).flatMap((name): [string, string[]][] => {
    const scopes = member(place, name);
    if (!scopes) return [];
    if (!declared.includes(name)) {
      addWarning(scopes, 'security.undefined-scheme', {
        found: `a requirement of "${name.slice(0, 80)}"`,
        expected: `a name that "securitySchemes" declares`,
        fix: `Declare "${name.slice(0, 80)}" in "securitySchemes", or remove the requirement.`,
      });
    }
    return [[name, readScopes(place, scopes, name)]];
  });
  return Object.fromEntries(entries);
}

function readScopes(parent: SourceNode, scopes: SourceNode, name: string): string[] {
  const rule = { need: 'optional', max: 50, maxLength: 200, example: '[]' } as const;
  return scopes.node.type === 'object' ? textListMember(scopes, 'list', rule) : textListMember(parent, name, rule);
}
