import { CARD_MAX, MAX_CARD_URL_LENGTH } from '../../limits';
import { type CoreInterface, normalizeBinding, normalizeVersion } from '../core/card';
import type { DiagnosticText } from './diagnostics';
import type { CardRule } from './lint-rules';
import { addWarning, describeNode, isObjectNode, listMember, member, type SourceNode, textMember } from './source-node';

/** An interface and its source node. */
export interface LocatedInterface {
  source: SourceNode;
  value: CoreInterface;
  /** The reason why its address cannot be called: an error if the agent has no other one, else a warning. */
  problem: InterfaceProblem | null;
}

export interface InterfaceProblem {
  at: SourceNode;
  rule: CardRule;
  details: DiagnosticText;
}

const urlExample = '"https://agent.example.com/a2a/jsonrpc"';

/**
 * The interfaces of an A2A 1.0 card (`supportedInterfaces`), in order of preference. Defaults: the card's version or
 * 1.0, and JSON-RPC.
 */
export function readInterfacesV10(card: SourceNode): LocatedInterface[] {
  const example = '[{"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]';
  const list = listMember(card, 'supportedInterfaces', { need: 'advised', max: CARD_MAX.interfaces, example });
  return list.flatMap((source) => {
    if (!isObjectNode(source, 'each interface')) return [];
    const { url, problem } = readUrl(source);
    const binding = readBinding(source, { name: 'protocolBinding', alias: 'transport', need: 'advised' });
    const protocolVersion = readVersion(card, source);
    const tenant = textMember(source, 'tenant', { need: 'optional', max: CARD_MAX.tenant, example: '"…"' });
    return [{ source, value: { url, binding, protocolVersion, tenant: tenant || null }, problem }];
  });
}

function readVersion(card: SourceNode, source: SourceNode): string {
  const rule = { need: 'advised', max: CARD_MAX.protocolVersion, example: '"1.0"' } as const;
  const own = textMember(source, 'protocolVersion', rule);
  const version = own || textMember(card, 'protocolVersion', { ...rule, need: 'optional' }) || '1.0';
  return normalizeVersion(version);
}

/** The only interface of an A2A 0.1 card: `url`, JSON-RPC. */
export function readInterfacesV01(card: SourceNode): LocatedInterface[] {
  return [toInterface(card, { binding: 'JSONRPC', protocolVersion: '0.1' })];
}

/** Adds the main interface with another version, for cards without a definite version. */
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
  const rule = { need: 'optional', max: CARD_MAX.interfaces, example: '[]' } as const;
  const others = listMember(card, 'additionalInterfaces', rule).flatMap((source) => {
    if (!isObjectNode(source, 'each interface')) return [];
    const transport = readBinding(source, { name: 'transport', alias: 'protocolBinding', need: 'advised' });
    return [toInterface(source, { binding: transport, protocolVersion: '0.3' })];
  });
  const isMain = ({ value }: LocatedInterface): boolean =>
    value.url === main.value.url && value.binding === main.value.binding;
  return [main, ...others.filter((other) => !isMain(other))];
}

function toInterface(
  source: SourceNode,
  protocol: Pick<CoreInterface, 'binding' | 'protocolVersion'>,
): LocatedInterface {
  const { url, problem } = readUrl(source);
  return { source, value: { url, ...protocol, tenant: null }, problem };
}

interface BindingRule {
  name: string;
  /** The member's name in the other version. */
  alias: string;
  need: 'advised' | 'optional';
}

/** The binding in the specification's spelling; JSON-RPC by default. */
function readBinding(source: SourceNode, { name, alias, need }: BindingRule): string {
  const used = !member(source, name) && member(source, alias) ? alias : name;
  if (used === alias) {
    const found = member(source, alias) ?? source;
    const fix = `Rename "${alias}" to "${name}". Parley reads it as "${name}".`;
    addWarning(found, 'member.spelling', { found: `"${alias}"`, expected: `"${name}"`, fix });
  }
  const written = textMember(source, used, { need, max: CARD_MAX.binding, example: '"JSONRPC"' });
  const binding = normalizeBinding(written) || 'JSONRPC';
  const at = member(source, used);
  if (at && written !== '' && binding.toUpperCase() !== written.toUpperCase()) {
    addWarning(at, 'interface.binding', {
      found: describeNode(at.node),
      expected: 'JSONRPC, HTTP+JSON or GRPC',
      fix: `Write "${binding}". Parley reads it as "${binding}".`,
    });
  }
  return binding;
}

/** The URL, and its problem if any. The other interfaces determine if the problem is an error. */
function readUrl(source: SourceNode): Pick<LocatedInterface['value'], 'url'> & Pick<LocatedInterface, 'problem'> {
  const at = member(source, 'url');
  const missing = { ...source, pointer: `${source.pointer}/url` };
  const fix = `Add "url", such as ${urlExample}.`;
  if (!at) {
    const details = { found: 'nothing', expected: 'a string', fix };
    return { url: '', problem: { at: missing, rule: 'member.required', details } };
  }
  if (at.node.type !== 'string') {
    const details = {
      found: describeNode(at.node),
      expected: 'a string',
      fix: `Write "url" as a string, such as ${urlExample}.`,
    };
    return { url: '', problem: { at, rule: 'member.type', details } };
  }
  const url = textMember(source, 'url', { need: 'optional', max: MAX_CARD_URL_LENGTH, example: urlExample });
  return { url, problem: url === '' ? emptyUrl(at) : addressProblem(at, url) };
}

function emptyUrl(at: SourceNode): InterfaceProblem {
  const details = {
    found: describeNode(at.node),
    expected: 'an absolute URL',
    fix: `Fill in "url", such as ${urlExample}.`,
  };
  return { at, rule: 'member.empty', details };
}

function addressProblem(at: SourceNode, url: string): InterfaceProblem | null {
  if (url.length > MAX_CARD_URL_LENGTH) {
    const details = {
      found: `${url.length} characters`,
      expected: `at most ${MAX_CARD_URL_LENGTH} characters`,
      fix: 'Use a shorter URL.',
    };
    return { at, rule: 'member.too-long', details };
  }
  if (URL.canParse(url)) return null;
  const details = {
    found: describeNode(at.node),
    expected: 'an absolute URL',
    fix: 'Write the complete URL, such as https://agent.example.com/a2a/jsonrpc.',
  };
  return { at, rule: 'url.absolute', details };
}
