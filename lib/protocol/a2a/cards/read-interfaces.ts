import { type CoreInterface, normalizeBinding, normalizeVersion } from '../core/card';
import type { CardRule, DiagnosticText } from './diagnostics';
import { addWarning, describeNode, isObjectNode, listMember, member, type SourceNode, textMember } from './source-node';

/** An interface of the card, and where it stands there. */
export interface LocatedInterface {
  source: SourceNode;
  value: CoreInterface;
  /** Why nothing can be sent to its address: a fault when the agent has no other, else a warning. */
  problem: InterfaceProblem | null;
}

export interface InterfaceProblem {
  at: SourceNode;
  rule: CardRule;
  words: DiagnosticText;
}

/** Longest address that can be called. */
const maxUrlLength = 2_000;
const urlExample = '"https://agent.example.com/a2a/jsonrpc"';

/**
 * The interfaces of an A2A 1.0 card: `supportedInterfaces`, in the order of preference. A version that is missing there is
 * that of the card, else 1.0; a binding that is missing is JSON-RPC.
 */
export function readInterfacesV10(card: SourceNode): LocatedInterface[] {
  const example = '[{"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]';
  const list = listMember(card, 'supportedInterfaces', { need: 'advised', max: 50, example });
  return list.flatMap((source) => {
    if (!isObjectNode(source, 'each interface')) return [];
    const { url, problem } = readUrl(source);
    const binding = readBinding(source, { name: 'protocolBinding', alias: 'transport', need: 'advised' });
    const protocolVersion = readVersion(card, source);
    const tenant = textMember(source, 'tenant', { need: 'optional', max: 200, example: '"…"' });
    return [{ source, value: { url, binding, protocolVersion, tenant: tenant || null }, problem }];
  });
}

function readVersion(card: SourceNode, source: SourceNode): string {
  const rule = { need: 'advised', max: 20, example: '"1.0"' } as const;
  const own = textMember(source, 'protocolVersion', rule);
  const version = own || textMember(card, 'protocolVersion', { ...rule, need: 'optional' }) || '1.0';
  return normalizeVersion(version);
}

/** The one interface of an A2A 0.1 card: `url`, in JSON-RPC. */
export function readInterfacesV01(card: SourceNode): LocatedInterface[] {
  return [toInterface(card, { binding: 'JSONRPC', protocolVersion: '0.1' })];
}

/** The same, and the main one once more in another version, for cards that leave open which of the two it speaks. */
export function withAlternateVersion(
  interfaces: LocatedInterface[],
  protocolVersion: '0.1' | '1.0',
): LocatedInterface[] {
  const [main] = interfaces;
  if (main?.value.binding.toUpperCase() !== 'JSONRPC') return interfaces;
  return [...interfaces, { ...main, value: { ...main.value, protocolVersion } }];
}

/** The interfaces of an A2A 0.3 card: `url` with `preferredTransport`, then `additionalInterfaces`. */
export function readInterfacesV03(card: SourceNode): LocatedInterface[] {
  const binding = readBinding(card, { name: 'preferredTransport', alias: 'protocolBinding', need: 'optional' });
  const main = toInterface(card, { binding, protocolVersion: '0.3' });
  const rule = { need: 'optional', max: 50, example: '[]' } as const;
  const others = listMember(card, 'additionalInterfaces', rule).flatMap((source) => {
    if (!isObjectNode(source, 'each interface')) return [];
    const transport = readBinding(source, { name: 'transport', alias: 'protocolBinding', need: 'advised' });
    return [toInterface(source, { binding: transport, protocolVersion: '0.3' })];
  });
  const isMain = ({ value }: LocatedInterface): boolean =>
    value.url === main.value.url && value.binding === main.value.binding;
  return [main, ...others.filter((other) => !isMain(other))];
}

function toInterface(place: SourceNode, spoken: Pick<CoreInterface, 'binding' | 'protocolVersion'>): LocatedInterface {
  const { url, problem } = readUrl(place);
  return { source: place, value: { url, ...spoken, tenant: null }, problem };
}

interface BindingRule {
  name: string;
  /** What the other version calls the member. */
  alias: string;
  need: 'advised' | 'optional';
}

/** The binding in the spelling of the specification; JSON-RPC when the card does not name one. */
function readBinding(place: SourceNode, { name, alias, need }: BindingRule): string {
  const used = !member(place, name) && member(place, alias) ? alias : name;
  if (used === alias) {
    const found = member(place, alias) ?? place;
    const fix = `Rename "${alias}" to "${name}". Parley reads it so.`;
    addWarning(found, 'member.spelling', { found: `"${alias}"`, expected: `"${name}"`, fix });
  }
  const written = textMember(place, used, { need, max: 200, example: '"JSONRPC"' });
  const binding = normalizeBinding(written) || 'JSONRPC';
  const at = member(place, used);
  if (at && written !== '' && binding.toUpperCase() !== written.toUpperCase()) {
    addWarning(at, 'interface.binding', {
      found: describeNode(at.node),
      expected: 'JSONRPC, HTTP+JSON or GRPC',
      fix: `Write "${binding}". Parley reads it so.`,
    });
  }
  return binding;
}

/** Why an address is not one, is told by whoever knows whether it is needed. */
function readUrl(place: SourceNode): Pick<LocatedInterface['value'], 'url'> & Pick<LocatedInterface, 'problem'> {
  const at = member(place, 'url');
  const missing = { ...place, pointer: `${place.pointer}/url` };
  const fix = `Add "url", such as ${urlExample}.`;
  if (!at) {
    const words = { found: 'nothing', expected: 'a text', fix };
    return { url: '', problem: { at: missing, rule: 'member.required', words } };
  }
  if (at.node.type !== 'string') {
    const words = {
      found: describeNode(at.node),
      expected: 'a text',
      fix: `Write "url" as a text, such as ${urlExample}.`,
    };
    return { url: '', problem: { at, rule: 'member.type', words } };
  }
  const url = textMember(place, 'url', { need: 'optional', max: maxUrlLength, example: urlExample });
  return { url, problem: url === '' ? emptyUrl(at) : addressProblem(at, url) };
}

function emptyUrl(at: SourceNode): InterfaceProblem {
  const words = {
    found: describeNode(at.node),
    expected: 'an absolute address',
    fix: `Fill in "url", such as ${urlExample}.`,
  };
  return { at, rule: 'member.empty', words };
}

function addressProblem(at: SourceNode, url: string): InterfaceProblem | null {
  if (url.length > maxUrlLength) {
    const words = {
      found: `${url.length} characters`,
      expected: `at most ${maxUrlLength} characters`,
      fix: 'Use a shorter address.',
    };
    return { at, rule: 'member.too-long', words };
  }
  if (URL.canParse(url)) return null;
  const words = {
    found: describeNode(at.node),
    expected: 'an absolute address',
    fix: 'Write the whole address, such as https://agent.example.com/a2a/jsonrpc.',
  };
  return { at, rule: 'url.absolute', words };
}
