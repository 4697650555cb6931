import { type CallableInterface, type CoreCard, type CoreInterface, normalizeVersion, toCallable } from '../core/card';
import {
  type CardContext,
  type CardDiagnostic,
  createDiagnosticCollector,
  type DiagnosticCollector,
  type DiagnosticText,
} from './diagnostics';
import {
  chooseInterfaces,
  type LocatedInterface,
  readInterfacesV01,
  readInterfacesV03,
  readInterfacesV10,
  withAlternateVersion,
} from './read-interfaces';
import { decodeUtf8, readJson } from './read-json';
import { readMembers } from './read-members';
import { addError, addWarning, describeNode, member, type SourceNode } from './source-node';

export type CardReading =
  | {
      ok: true;
      card: CoreCard;
      /** The callable interfaces in the card's order: the first is called, the others are fallbacks. */
      endpoints: [CallableInterface, ...CallableInterface[]];
      /** For a card without a URL: the error to report when the assumed endpoint does not respond to JSON-RPC. */
      diagnosticIfSilent: CardDiagnostic | null;
      warnings: CardDiagnostic[];
    }
  | { ok: false; faults: CardDiagnostic[]; warnings: CardDiagnostic[] };

/**
 * The layout of a card's interfaces: A2A 1.0, 0.3, 0.3 with a declared version of 1.0, 0.1, or undeclared as on Web42.
 */
type CardLayout = '1.0' | '0.3' | 'claims-1.0' | '0.1' | 'undeclared';

/**
 * Reads an A2A card of versions 0.1 to 1.0 (A2A 1.0 §8, 0.3 §5.5). Violations that prevent the agent from being called
 * or listed are errors; all others are warnings.
 */
export function readCard(bytes: Uint8Array, context: CardContext): CardReading {
  const decoded = decodeUtf8(bytes);
  if ('fault' in decoded) return { ok: false, faults: [decoded.fault], warnings: [] };
  const { text } = decoded;
  const diagnostics = createDiagnosticCollector(text);
  const body = withoutByteOrderMark(text, diagnostics);
  const root = readJson(body, diagnostics);
  if (!root) return { ok: false, faults: diagnostics.faults, warnings: diagnostics.warnings };
  const card: SourceNode = { node: root, pointer: '', diagnostics };
  const layout = root.type === 'object' ? detectLayout(card) : notAnObject(card);
  if (!layout) return { ok: false, faults: diagnostics.faults, warnings: diagnostics.warnings };
  return readLayout(card, layout, context);
}

// Replaces the mark with a space, so that offsets still refer to the fetched text.
function withoutByteOrderMark(text: string, diagnostics: DiagnosticCollector): string {
  if (!text.startsWith('\ufeff')) return text;
  const details = {
    found: 'a byte order mark',
    expected: 'JSON without a byte order mark',
    fix: 'Save the card without the byte order mark.',
  };
  diagnostics.add('warning', { offset: 0, pointer: '', rule: 'json.byte-order-mark' }, details);
  return ` ${text.slice(1)}`;
}

function notAnObject(card: SourceNode): null {
  const details = { found: describeNode(card.node), expected: 'an object', fix: 'Serve one card as a JSON object.' };
  addError(card, 'card.object', details);
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
  // 2.0 is the version of JSON-RPC, and dates are versions of MCP, not of A2A.
  if (/^\d+\.\d+$/.test(version) && Number(version) > 2) {
    const details = {
      found: describeNode(declared.node),
      expected: '"1.0", "0.3" or "0.1"',
      fix: 'Support A2A 1.0 or 0.3.',
    };
    addError(declared, 'version.unsupported', details);
    return null;
  }
  addWarning(declared, 'version.unknown', {
    found: describeNode(declared.node),
    expected: 'a version of A2A, such as "1.0" or "0.3.0"',
    fix: 'Add the A2A version that the agent supports. Parley derives it from the layout of the card.',
  });
  return 'unknown';
}

function claimsV10(declared: SourceNode): CardLayout {
  addWarning(declared, 'version.layout', {
    found: describeNode(declared.node),
    expected: '"supportedInterfaces" (A2A 1.0), or "0.3.0"',
    fix: 'The card has the layout of A2A 0.3. Add the version that the agent supports. Parley uses 0.3, then 1.0.',
  });
  return 'claims-1.0';
}

function warnAboutVersionType(declared: SourceNode): void {
  const details = {
    found: describeNode(declared.node),
    expected: 'a string',
    fix: 'Write the version as a string, such as "0.3.0".',
  };
  addWarning(declared, 'member.type', details);
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
  const { diagnostics } = card;
  const core = readMembers(card);
  const { interfaces, assumed } = readInterfaces(card, layout, context);
  const [first, ...others] = chooseInterfaces(card, interfaces, context);
  if (diagnostics.faults.length > 0 || !first)
    return { ok: false, faults: diagnostics.faults, warnings: diagnostics.warnings };
  const full = { ...core, interfaces: interfaces.map(({ value }) => value) };
  return {
    ok: true,
    card: full,
    endpoints: [first, ...others],
    diagnosticIfSilent: assumed,
    warnings: diagnostics.warnings,
  };
}

function readInterfaces(
  card: SourceNode,
  layout: CardLayout,
  context: CardContext,
): { interfaces: LocatedInterface[]; assumed: CardDiagnostic | null } {
  if (layout === '1.0') return { interfaces: withLegacyLayout(card, readInterfacesV10(card, context)), assumed: null };
  if (layout === '0.1') return { interfaces: readInterfacesV01(card), assumed: null };
  if (layout === 'claims-1.0')
    return { interfaces: withAlternateVersion(readInterfacesV03(card), '1.0'), assumed: null };
  // Orloj's cards may declare 0.2 together with the authentication of 0.1, and the agents implement the methods of 0.1.
  if (layout === '0.3' && isLayoutV01(card)) {
    return { interfaces: withAlternateVersion(readInterfacesV03(card), '0.1'), assumed: null };
  }
  if (layout === '0.3') {
    if (!member(card, 'protocolVersion')?.node.value) warnAboutVersion(card);
    return { interfaces: readInterfacesV03(card), assumed: null };
  }
  if (!member(card, 'url')) return assumeInterface(card, context);
  if (!member(card, 'protocolVersion')?.node.value) warnAboutVersion(card);
  // Cards of early 0.2 and of 0.1 without authentication (Society) are indistinguishable. The agent's response
  // determines the version.
  return { interfaces: withAlternateVersion(readInterfacesV03(card), '0.1'), assumed: null };
}

/**
 * Adds the interfaces of the 0.3 layout to a card with both layouts and no callable 1.0 interface, except for gRPC, whose
 * server may be out of reach.
 */
function withLegacyLayout(card: SourceNode, interfaces: LocatedInterface[]): LocatedInterface[] {
  const isCallable = interfaces.some(
    ({ value, problem }) => (toCallable(value)?.binding ?? 'GRPC') !== 'GRPC' && problem === null,
  );
  return isCallable || !member(card, 'url') ? interfaces : [...interfaces, ...readInterfacesV03(card)];
}

function warnAboutVersion(card: SourceNode): void {
  addWarning({ ...card, pointer: '/protocolVersion' }, 'version.missing', {
    found: 'nothing',
    expected: 'the A2A version',
    fix: 'Add "protocolVersion": "0.3.0", or "supportedInterfaces" for A2A 1.0. Parley uses 0.3, then 0.1.',
  });
}

function assumeInterface(
  card: SourceNode,
  context: CardContext,
): { interfaces: LocatedInterface[]; assumed: CardDiagnostic | null } {
  const at = { ...card, pointer: '/url' };
  const url = context.assumedEndpoint;
  if (url === null) {
    addError(at, 'endpoint.missing', missingEndpoint('no URL'));
    return { interfaces: [], assumed: null };
  }
  const fix = `Add "url": "${url}". Parley uses this URL.`;
  addWarning(at, 'endpoint.assumed', { found: 'no URL', expected: '"url", or "supportedInterfaces"', fix });
  const value: CoreInterface = { url, binding: 'JSONRPC', protocolVersion: '0.3', tenant: null, assumed: true };
  const details = missingEndpoint(`no URL, and no JSON-RPC endpoint at ${url}`);
  const assumed = card.diagnostics.build(
    { offset: card.node.offset, pointer: '/url', rule: 'endpoint.missing' },
    details,
  );
  return { interfaces: [{ source: card, value, problem: null }], assumed };
}

function missingEndpoint(found: string): DiagnosticText {
  return {
    found,
    expected: '"url" (A2A 0.3) or "supportedInterfaces" (A2A 1.0)',
    fix: 'Add "url" with the URL of the JSON-RPC endpoint, and "protocolVersion": "0.3.0".',
  };
}
