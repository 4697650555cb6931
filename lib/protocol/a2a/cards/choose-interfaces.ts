import { type CallableInterface, toCallable } from '../core/card';
import { type CardContext, quote } from './diagnostics';
import type { InterfaceProblem, LocatedInterface } from './read-interfaces';
import { addError, addWarning, describeNode, member, type SourceNode } from './source-node';

/**
 * The interfaces that Parley can call, in the card's order. Problems of other interfaces are warnings, or errors when
 * none is callable. Addresses of unsupported bindings, such as gRPC's `host:port`, are never errors.
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
  if (first) warnAboutOrigin(member(first.source, 'url') ?? first.source, first.value.url, context);
  else if (card.diagnostics.faults.length === 0) reportNoneCallable(card, interfaces);
  return usable.map(({ value }) => value);
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

function warnAboutOrigin(source: SourceNode, url: string, { cardUrl }: CardContext): void {
  const { origin } = new URL(url);
  const expected = new URL(cardUrl).origin;
  if (origin === expected) return;
  const fix =
    'Confirm that calls may go to a different origin than the card comes from, or serve the card from that origin.';
  addWarning(source, 'endpoint.other-origin', { found: origin, expected, fix });
}

/** Reports why no interface is callable although no address is invalid. */
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
    expected: 'an interface with the binding JSONRPC or HTTP+JSON',
    fix: 'Also offer JSON-RPC or HTTP+JSON. Parley calls agents with these.',
  });
}
