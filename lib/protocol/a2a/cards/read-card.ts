import { type CallableInterface, type CoreCard, type CoreInterface, normalizeVersion, toCallable } from '../core/card';
import { chooseInterfaces } from './choose-interfaces';
import { decodeUtf8 } from './decode-utf8';
import {
  type CardContext,
  type CardDiagnostic,
  createDiagnosticCollector,
  type DiagnosticCollector,
  type DiagnosticText,
} from './diagnostics';
import { readCapabilities } from './read-capabilities';
import {
  type LocatedInterface,
  readInterfacesV01,
  readInterfacesV03,
  readInterfacesV10,
  withAlternateVersion,
} from './read-interfaces';
import { readJson } from './read-json';
import { linkMember, readProvider } from './read-links';
import { modesMember } from './read-modes';
import { readSecurity, readSecuritySchemes } from './read-security';
import { readSkills } from './read-skills';
import { addError, addWarning, describeNode, member, type SourceNode, textMember } from './source-node';

export type CardReading =
  | {
      ok: true;
      card: CoreCard;
      /** The interfaces that can be called, in the card's order; the first one is called, the others when it is not there. */
      endpoints: [CallableInterface, ...CallableInterface[]];
      /** The card names no address: this is the fault to raise when the first endpoint does not speak JSON-RPC. */
      diagnosticIfSilent: CardDiagnostic | null;
      warnings: CardDiagnostic[];
    }
  | { ok: false; faults: CardDiagnostic[]; warnings: CardDiagnostic[] };

/**
 * In which layout a card names its interfaces: that of A2A 1.0, of 0.3, of 0.3 by an agent that claims 1.0, of 0.1, or none
 * declared, as on Web42.
 */
type CardLayout = '1.0' | '0.3' | 'claims-1.0' | '0.1' | 'undeclared';

/**
 * Reads the bytes of an A2A card of 0.1 to 1.0 (A2A 1.0 §8, 0.3 §5.5). Faults are what keeps the agent from being called or
 * listed; everything else that violates the specification is a warning.
 */
export function readCard(bytes: Uint8Array, context: CardContext): CardReading {
  const decoded = decodeUtf8(bytes);
  if ('fault' in decoded) return { ok: false, faults: [decoded.fault], warnings: [] };
  const { text } = decoded;
  const sink = createDiagnosticCollector(text);
  const body = withoutByteOrderMark(text, sink);
  const root = readJson(body, sink);
  if (!root) return { ok: false, faults: sink.faults, warnings: sink.warnings };
  const card: SourceNode = { node: root, pointer: '', diagnostics: sink };
  const layout = root.type === 'object' ? detectLayout(card) : notAnObject(card);
  if (!layout) return { ok: false, faults: sink.faults, warnings: sink.warnings };
  return readLayout(card, layout, context);
}

// Places count in the text as it was fetched, so the mark is replaced by a space.
function withoutByteOrderMark(text: string, sink: DiagnosticCollector): string {
  if (!text.startsWith('\ufeff')) return text;
  const words = {
    found: 'a byte order mark',
    expected: 'JSON from the first byte',
    fix: 'Save the card without the mark.',
  };
  sink.add('warning', { offset: 0, pointer: '', rule: 'json.byte-order-mark' }, words);
  return ` ${text.slice(1)}`;
}

function notAnObject(card: SourceNode): null {
  const words = { found: describeNode(card.node), expected: 'an object', fix: 'Serve one card, as a JSON object.' };
  addError(card, 'card.object', words);
  return null;
}

function detectLayout(card: SourceNode): CardLayout | null {
  const listed = member(card, 'supportedInterfaces');
  if (listed?.node.type === 'array' && listed.node.children?.length) return '1.0';
  if (listed && !member(card, 'url')) return '1.0';
  const declared = member(card, 'protocolVersion');
  const version = declared ? normalizeVersion(String(declared.node.value ?? '')) : '';
  if (declared && version !== '') {
    if (declared.node.type !== 'string') warnAboutVersionType(declared);
    const layout = declaredLayout(card, declared, version);
    if (layout !== 'unknown') return layout;
  }
  if (member(card, 'securityRequirements') && !member(card, 'url')) return '1.0';
  if (isLayoutV01(card)) return '0.1';
  const traits = ['preferredTransport', 'additionalInterfaces', 'supportsAuthenticatedExtendedCard'];
  return traits.some((name) => member(card, name)) ? '0.3' : 'undeclared';
}

function declaredLayout(card: SourceNode, declared: SourceNode, version: string): CardLayout | 'unknown' | null {
  if (version === '0.2' || version === '0.3') return '0.3';
  if (version === '0.1') return '0.1';
  if (/^1\.\d+$/.test(version)) return member(card, 'url') ? claimsV10(declared) : '1.0';
  // 2.0 is JSON-RPC's version, and dates are MCP's: they say nothing about A2A.
  if (/^\d+\.\d+$/.test(version) && Number(version) > 2) {
    const words = {
      found: describeNode(declared.node),
      expected: '"1.0", "0.3" or "0.1"',
      fix: 'Offer A2A 1.0 or 0.3.',
    };
    addError(declared, 'version.unsupported', words);
    return null;
  }
  addWarning(declared, 'version.unknown', {
    found: describeNode(declared.node),
    expected: 'a version of A2A, such as "1.0" or "0.3.0"',
    fix: 'Name the version of A2A that the agent speaks. Parley tells it by the layout of the card.',
  });
  return 'unknown';
}

function claimsV10(declared: SourceNode): CardLayout {
  addWarning(declared, 'version.layout', {
    found: describeNode(declared.node),
    expected: '"supportedInterfaces" (A2A 1.0), or "0.3.0"',
    fix: 'The card has the layout of A2A 0.3. Name the version that the agent speaks. Parley calls it in 0.3, then in 1.0.',
  });
  return 'claims-1.0';
}

function warnAboutVersionType(declared: SourceNode): void {
  const words = {
    found: describeNode(declared.node),
    expected: 'a text',
    fix: 'Write the version as a text, such as "0.3.0".',
  };
  addWarning(declared, 'member.type', words);
}

function isLayoutV01(card: SourceNode): boolean {
  const capabilities = member(card, 'capabilities');
  const url = member(card, 'url')?.node.value;
  return (
    member(card, 'authentication') !== null ||
    (capabilities?.node.type === 'object' && member(capabilities, 'tools') !== null) ||
    (typeof url === 'string' && url.startsWith('ws-agent:'))
  );
}

function readLayout(card: SourceNode, layout: CardLayout, context: CardContext): CardReading {
  const { diagnostics: sink } = card;
  const core = readMembers(card);
  const { interfaces, assumed } = readInterfaces(card, layout, context);
  const [first, ...others] = chooseInterfaces(card, interfaces, context);
  if (sink.faults.length > 0 || !first) return { ok: false, faults: sink.faults, warnings: sink.warnings };
  const full = { ...core, interfaces: interfaces.map(({ value }) => value) };
  return { ok: true, card: full, endpoints: [first, ...others], diagnosticIfSilent: assumed, warnings: sink.warnings };
}

function readInterfaces(
  card: SourceNode,
  layout: CardLayout,
  context: CardContext,
): { interfaces: LocatedInterface[]; assumed: CardDiagnostic | null } {
  if (layout === '1.0') return { interfaces: withLegacyLayout(card, readInterfacesV10(card)), assumed: null };
  if (layout === '0.1') return { interfaces: readInterfacesV01(card), assumed: null };
  if (layout === 'claims-1.0')
    return { interfaces: withAlternateVersion(readInterfacesV03(card), '1.0'), assumed: null };
  // Orloj's cards may declare 0.2 beside the authentication of 0.1, whose methods it speaks.
  if (layout === '0.3' && isLayoutV01(card)) {
    return { interfaces: withAlternateVersion(readInterfacesV03(card), '0.1'), assumed: null };
  }
  if (layout === '0.3') {
    if (!member(card, 'protocolVersion')?.node.value) warnAboutVersion(card);
    return { interfaces: readInterfacesV03(card), assumed: null };
  }
  if (!member(card, 'url')) return assumeInterface(card, context);
  if (!member(card, 'protocolVersion')?.node.value) warnAboutVersion(card);
  // Cards of early 0.2 and of 0.1 without authentication (Society) look alike: the agent's answer tells which it is.
  return { interfaces: withAlternateVersion(readInterfacesV03(card), '0.1'), assumed: null };
}

/** Where a card of both layouts lists nothing in that of 1.0 that can be called, what its other half names. */
function withLegacyLayout(card: SourceNode, interfaces: LocatedInterface[]): LocatedInterface[] {
  const isCallable = interfaces.some(({ value, problem }) => toCallable(value) !== null && problem === null);
  return isCallable || !member(card, 'url') ? interfaces : [...interfaces, ...readInterfacesV03(card)];
}

function warnAboutVersion(card: SourceNode): void {
  addWarning({ ...card, pointer: '/protocolVersion' }, 'version.missing', {
    found: 'nothing',
    expected: 'the version of A2A',
    fix: 'Add "protocolVersion": "0.3.0", or "supportedInterfaces" for A2A 1.0. Parley calls the agent in 0.3, then in 0.1.',
  });
}

function assumeInterface(
  card: SourceNode,
  context: CardContext,
): { interfaces: LocatedInterface[]; assumed: CardDiagnostic | null } {
  const at = { ...card, pointer: '/url' };
  const url = context.assumedEndpoint;
  if (url === null) {
    addError(at, 'endpoint.missing', missingEndpoint('no address'));
    return { interfaces: [], assumed: null };
  }
  const fix = `Add "url": "${url}". Parley calls the agent there.`;
  addWarning(at, 'endpoint.assumed', { found: 'no address', expected: '"url", or "supportedInterfaces"', fix });
  const value: CoreInterface = { url, binding: 'JSONRPC', protocolVersion: '0.3', tenant: null, assumed: true };
  const words = missingEndpoint(`no address, and nothing that speaks JSON-RPC at ${url}`);
  const assumed = card.diagnostics.build(
    { offset: card.node.offset, pointer: '/url', rule: 'endpoint.missing' },
    words,
  );
  return { interfaces: [{ source: card, value, problem: null }], assumed };
}

function missingEndpoint(found: string): DiagnosticText {
  return {
    found,
    expected: '"url" (A2A 0.3) or "supportedInterfaces" (A2A 1.0)',
    fix: 'Add "url" with the address that takes JSON-RPC calls, and "protocolVersion": "0.3.0".',
  };
}

function readMembers(card: SourceNode): Omit<CoreCard, 'interfaces'> {
  const securitySchemes = readSecuritySchemes(card);
  return {
    name: textMember(card, 'name', { need: 'required', max: 80, example: '"Translator"' }),
    description: textMember(card, 'description', {
      need: 'advised',
      max: 2000,
      example: '"Translates documents between languages"',
      lines: true,
    }),
    version: textMember(card, 'version', { need: 'advised', max: 60, example: '"1.0.0"' }) || '0.0.0',
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
