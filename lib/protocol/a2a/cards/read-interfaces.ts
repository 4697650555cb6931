import { CARD_MAX, MAX_CARD_URL_LENGTH } from '../../limits';
import {
  type CallableInterface,
  type CoreInterface,
  grpcUrlsOf,
  normalizeBinding,
  normalizeVersion,
  preferA2a,
  toCallable,
} from '../core/card';
import { type CardContext, type CardRule, type DiagnosticText, quote } from './diagnostics';
import {
  addError,
  addWarning,
  describeNode,
  isObjectNode,
  listMember,
  member,
  type SourceNode,
  textMember,
} from './source-node';

/** An interface and its source node. */
export interface LocatedInterface {
  source: SourceNode;
  value: CoreInterface;
  /** The reason why its URL cannot be called: an error if the agent has no other interface, otherwise a warning. */
  problem: InterfaceProblem | null;
}

interface InterfaceProblem {
  at: SourceNode;
  rule: CardRule;
  details: DiagnosticText;
}

const urlExample = '"https://agent.example.com/a2a/jsonrpc"';

/**
 * Returns the interfaces of an A2A 1.0 card (`supportedInterfaces`), in order of preference. Defaults: the card's
 * version or 1.0, and JSON-RPC.
 */
export function readInterfacesV10(card: SourceNode, context: CardContext): LocatedInterface[] {
  const example = '[{"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]';
  const list = listMember(card, 'supportedInterfaces', { need: 'advised', max: CARD_MAX.interfaces, example });
  return list.flatMap((source) => {
    if (!isObjectNode(source, 'each interface')) return [];
    const binding = readBinding(source, { name: 'protocolBinding', alias: 'transport', need: 'advised' });
    const { url, problem } = binding.toUpperCase() === 'GRPC' ? readGrpcUrl(source, context) : readUrl(source);
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

/** Returns the only interface of an A2A 0.1 card: `url`, JSON-RPC. */
export function readInterfacesV01(card: SourceNode): LocatedInterface[] {
  return [toInterface(card, { binding: 'JSONRPC', protocolVersion: '0.1' })];
}

/** Adds the main interface in another version, for cards whose version is uncertain. */
export function withAlternateVersion(
  interfaces: LocatedInterface[],
  protocolVersion: '0.1' | '1.0',
): LocatedInterface[] {
  const [main] = interfaces;
  if (main?.value.binding.toUpperCase() !== 'JSONRPC') return interfaces;
  return [...interfaces, { ...main, value: { ...main.value, protocolVersion } }];
}

/** Returns the interfaces of an A2A 0.3 card: `url` with `preferredTransport`, then `additionalInterfaces`. */
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

/** Returns the binding in the specification's spelling; JSON-RPC by default. */
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

/** Returns the URL, and its problem, if any. The other interfaces determine whether the problem is an error. */
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

/** Returns the URL of a gRPC interface, whose address may be `host:port`: the first form that the rules permit. */
function readGrpcUrl(source: SourceNode, { refusalOf }: CardContext): ReturnType<typeof readUrl> {
  const given = readUrl(source);
  const urls = grpcUrlsOf(given.url);
  if (!urls) return given;
  const problem = given.problem?.rule === 'url.absolute' ? null : given.problem;
  return { url: urls.find((url) => refusalOf(url) === null) ?? urls[0], problem };
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

/**
 * Returns the interfaces that Parley can call, in the card's order. Problems of the other interfaces are warnings, or
 * errors if no interface is callable. Addresses of unsupported bindings are never errors.
 */
export function chooseInterfaces(
  card: SourceNode,
  interfaces: LocatedInterface[],
  context: CardContext,
): CallableInterface[] {
  const usable: { value: CallableInterface; source: SourceNode }[] = [];
  const problems: InterfaceProblem[] = [];
  for (const { value, source, problem } of interfaces) {
    const callable = toCallable(value);
    const found = problem ?? (callable && refusalProblem(source, value.url, context));
    if (found && callable) problems.push(found);
    else if (found) reportProblem(addWarning, found);
    else if (callable) usable.push({ value: callable, source });
  }
  const [first] = usable;
  for (const problem of problems) reportProblem(first ? addWarning : addError, problem);
  if (first) warnAboutOrigin(member(first.source, 'url') ?? first.source, first.value, context);
  else if (card.diagnostics.faults.length === 0) reportNoneCallable(card, interfaces);
  return preferA2a(usable.map(({ value }) => value));
}

function reportProblem(report: typeof addError, { at, rule, details }: InterfaceProblem): void {
  report(at, rule, details);
}

function refusalProblem(source: SourceNode, url: string, { refusalOf }: CardContext): InterfaceProblem | null {
  const fix = refusalOf(url);
  if (fix === null) return null;
  const at = member(source, 'url') ?? source;
  const details = { found: describeNode(at.node), expected: 'an https URL on the public Internet', fix };
  return { at, rule: 'endpoint.refused', details };
}

function warnAboutOrigin(source: SourceNode, { url, binding }: CallableInterface, { cardUrl }: CardContext): void {
  const { origin, hostname } = new URL(url);
  const { origin: expected, hostname: cardHostname } = new URL(cardUrl);
  // gRPC has a port of its own.
  if (origin === expected || (binding === 'GRPC' && hostname === cardHostname)) return;
  const fix =
    'Confirm that calls may go to a different origin than the card comes from, or serve the card from that origin.';
  addWarning(source, 'endpoint.other-origin', { found: origin, expected, fix });
}

/** Reports the reason why no interface is callable although no URL is invalid. */
function reportNoneCallable(card: SourceNode, interfaces: LocatedInterface[]): void {
  const known = interfaces.find(({ value }) => /^(JSONRPC|HTTP\+JSON)$/i.test(value.binding));
  const list = member(card, 'supportedInterfaces') ?? card;
  if (known) {
    addError(member(known.source, 'protocolVersion') ?? known.source, 'interface.version', {
      found: quote(known.value.protocolVersion),
      expected: '1.0 or 0.3',
      fix: 'Add an interface with JSON-RPC or HTTP+JSON in A2A 1.0 or 0.3.',
    });
  } else if (interfaces.length > 0) {
    reportBindings(card, interfaces);
  } else {
    const found = list === card ? 'nothing' : describeNode(list.node);
    const at = list === card ? { ...card, pointer: '/supportedInterfaces' } : list;
    const rule = list === card ? 'member.required' : 'interface.none';
    addError(at, rule, {
      found,
      expected: 'an array with at least one interface',
      fix: 'Add the URL of the agent.',
    });
  }
}

function reportBindings(card: SourceNode, interfaces: LocatedInterface[]): void {
  const first = interfaces[0]?.source ?? card;
  const at = member(first, 'protocolBinding') ?? member(first, 'preferredTransport') ?? first;
  const bindings = interfaces.map(({ value }) => value.binding);
  addError(at, 'interface.binding', {
    found: quote(bindings.slice(0, 5).join(', ')),
    expected: 'an interface with the binding JSONRPC or HTTP+JSON, or GRPC in A2A 1.0',
    fix: 'Also offer JSON-RPC or HTTP+JSON, or gRPC in A2A 1.0. Parley calls agents with these.',
  });
}
