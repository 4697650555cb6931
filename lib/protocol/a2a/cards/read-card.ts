import { type CallableInterface, type CoreCard, type CoreInterface, majorMinor } from '../core/card';
import { decodeUtf8 } from './decode-utf8';
import { type CardContext, type CardFault, createSink, type FaultSink, type FaultWords } from './fault';
import { asFound, fault, member, type Need, type Place, textMember, warn } from './place';
import { readCapabilities } from './read-capabilities';
import {
  chooseInterfaces,
  orFirstGeneration,
  type PlacedInterface,
  readInterfacesV01,
  readInterfacesV03,
  readInterfacesV10,
} from './read-interfaces';
import { readJson } from './read-json';
import { linkMember, readProvider } from './read-links';
import { modesMember } from './read-modes';
import { readSecurity, readSecuritySchemes } from './read-security';
import { readSkills } from './read-skills';

export type CardReading =
  | {
      ok: true;
      card: CoreCard;
      /** The interfaces that can be called, in the card's order; the first one is called, the others when it is not there. */
      endpoints: [CallableInterface, ...CallableInterface[]];
      /** The card names no address: this is the fault to raise when the first endpoint does not speak JSON-RPC. */
      faultIfSilent: CardFault | null;
      warnings: CardFault[];
    }
  | { ok: false; faults: CardFault[]; warnings: CardFault[] };

/**
 * By which rules a card is read: A2A 1.0, 0.3, 0.1 (whose seeds ask for little), or none declared, where Web42 asks for
 * name and description alone.
 */
type Generation = '1.0' | '0.3' | '0.1' | 'undeclared';

/** Reads the bytes of an A2A card of 0.1 to 1.0 (A2A 1.0 §8, 0.3 §5.5) and tells everything that is wrong with it. */
export function readCard(bytes: Uint8Array, context: CardContext): CardReading {
  const decoded = decodeUtf8(bytes);
  if ('fault' in decoded) return { ok: false, faults: [decoded.fault], warnings: [] };
  const { text } = decoded;
  const sink = createSink(text);
  const body = withoutMark(text, sink);
  const root = readJson(body, sink);
  if (!root) return { ok: false, faults: sink.faults, warnings: sink.warnings };
  const card: Place = { node: root, pointer: '', sink };
  const generation = root.type === 'object' ? generationOf(card) : notAnObject(card);
  if (!generation) return { ok: false, faults: sink.faults, warnings: sink.warnings };
  return readGeneration(card, generation, context);
}

// Places count in the text as it was fetched, so the mark is replaced by a space.
function withoutMark(text: string, sink: FaultSink): string {
  if (!text.startsWith('\ufeff')) return text;
  const words = {
    found: 'a byte order mark',
    expected: 'JSON from the first byte',
    fix: 'Save the card without the mark.',
  };
  sink.add('warning', { offset: 0, pointer: '', rule: 'json.byte-order-mark' }, words);
  return ` ${text.slice(1)}`;
}

function notAnObject(card: Place): null {
  const words = { found: asFound(card.node), expected: 'an object', fix: 'Serve one card, as a JSON object.' };
  fault(card, 'card.object', words);
  return null;
}

function generationOf(card: Place): Generation | null {
  if (member(card, 'supportedInterfaces')) return '1.0';
  const declared = member(card, 'protocolVersion');
  if (declared?.node.type === 'string') return declaredGeneration(declared);
  if (member(card, 'securityRequirements')) return '1.0';
  if (isFirstGeneration(card)) return '0.1';
  const traits = ['preferredTransport', 'additionalInterfaces', 'supportsAuthenticatedExtendedCard'];
  return traits.some((name) => member(card, name)) ? '0.3' : 'undeclared';
}

function declaredGeneration(declared: Place): Generation | null {
  const version = majorMinor(String(declared.node.value));
  if (version === '0.2' || version === '0.3') return '0.3';
  if (version.startsWith('1.')) return '1.0';
  if (version === '0.1') return '0.1';
  const words = { found: asFound(declared.node), expected: '"1.0", "0.3" or "0.1"', fix: 'Offer A2A 1.0 or 0.3.' };
  fault(declared, 'version.unsupported', words);
  return null;
}

function isFirstGeneration(card: Place): boolean {
  const capabilities = member(card, 'capabilities');
  const url = member(card, 'url')?.node.value;
  return (
    member(card, 'authentication') !== null ||
    (capabilities?.node.type === 'object' && member(capabilities, 'tools') !== null) ||
    (typeof url === 'string' && url.startsWith('ws-agent:'))
  );
}

function readGeneration(card: Place, generation: Generation, context: CardContext): CardReading {
  const { sink } = card;
  const core = readMembers(card, generation === '1.0' || generation === '0.3' ? 'required' : 'advised');
  const { interfaces, assumed } = readInterfaces(card, generation, context);
  const [first, ...others] = chooseInterfaces(card, interfaces, context);
  if (sink.faults.length > 0 || !first) return { ok: false, faults: sink.faults, warnings: sink.warnings };
  const full = { ...core, interfaces: interfaces.map(({ value }) => value) };
  return { ok: true, card: full, endpoints: [first, ...others], faultIfSilent: assumed, warnings: sink.warnings };
}

function readInterfaces(
  card: Place,
  generation: Generation,
  context: CardContext,
): { interfaces: PlacedInterface[]; assumed: CardFault | null } {
  if (generation === '1.0') return { interfaces: readInterfacesV10(card), assumed: null };
  if (generation === '0.1') return { interfaces: readInterfacesV01(card), assumed: null };
  // Orloj's cards may declare 0.2 beside the authentication of 0.1, whose methods it speaks.
  if (generation === '0.3' && isFirstGeneration(card)) {
    return { interfaces: orFirstGeneration(readInterfacesV03(card)), assumed: null };
  }
  if (generation === '0.3') return { interfaces: readInterfacesV03(card), assumed: null };
  if (!member(card, 'url')) return assumeInterface(card, context);
  warnAboutVersion(card);
  // Cards of early 0.2 and of 0.1 without authentication (Society) look alike: the agent's answer tells which it is.
  return { interfaces: orFirstGeneration(readInterfacesV03(card)), assumed: null };
}

function warnAboutVersion(card: Place): void {
  warn({ ...card, pointer: '/protocolVersion' }, 'version.missing', {
    found: 'nothing',
    expected: 'the version of A2A',
    fix: 'Add "protocolVersion": "0.3.0", or "supportedInterfaces" for A2A 1.0. Parley calls the agent in 0.3, then in 0.1.',
  });
}

function assumeInterface(
  card: Place,
  context: CardContext,
): { interfaces: PlacedInterface[]; assumed: CardFault | null } {
  const at = { ...card, pointer: '/url' };
  const url = context.assumedEndpoint;
  if (url === null) {
    fault(at, 'endpoint.missing', missingEndpoint('no address'));
    return { interfaces: [], assumed: null };
  }
  const fix = `Add "url": "${url}". Parley calls the agent there.`;
  warn(at, 'endpoint.assumed', { found: 'no address', expected: '"url", or "supportedInterfaces"', fix });
  const value: CoreInterface = { url, binding: 'JSONRPC', protocolVersion: '0.3', tenant: null, assumed: true };
  const words = missingEndpoint(`no address, and nothing that speaks JSON-RPC at ${url}`);
  const assumed = card.sink.build({ offset: card.node.offset, pointer: '/url', rule: 'endpoint.missing' }, words);
  return { interfaces: [{ place: card, value }], assumed };
}

function missingEndpoint(found: string): FaultWords {
  return {
    found,
    expected: '"url" (A2A 0.3) or "supportedInterfaces" (A2A 1.0)',
    fix: 'Add "url" with the address that takes JSON-RPC calls, and "protocolVersion": "0.3.0".',
  };
}

/** A card that does not say which version it keeps to may lack a version, modes and skills. */
function readMembers(card: Place, need: Need): Omit<CoreCard, 'interfaces'> {
  const securitySchemes = readSecuritySchemes(card);
  return {
    name: textMember(card, 'name', { need: 'required', max: 80, example: '"Translator"' }),
    description: textMember(card, 'description', {
      need: 'required',
      max: 2000,
      example: '"Translates documents between languages"',
      lines: true,
    }),
    version: textMember(card, 'version', { need, max: 60, example: '"1.0.0"' }) || '0.0.0',
    provider: readProvider(card),
    documentationUrl: linkMember(card, 'documentationUrl'),
    iconUrl: linkMember(card, 'iconUrl'),
    capabilities: readCapabilities(card, need),
    securitySchemes,
    security: readSecurity(card, securitySchemes),
    inputModes: orPlainText(modesMember(card, 'defaultInputModes', need)),
    outputModes: orPlainText(modesMember(card, 'defaultOutputModes', need)),
    skills: readSkills(card, need),
  };
}

function orPlainText(modes: string[]): string[] {
  return modes.length > 0 ? modes : ['text/plain'];
}
