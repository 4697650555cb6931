import { asSpoken, type CallableInterface } from '../core/card';
import { type CardContext, quote } from './fault';
import { asFound, fault, member, type Place, warn } from './place';
import type { InterfaceProblem, PlacedInterface } from './read-interfaces';

/**
 * The interfaces that Parley will call, in the card's order. What is wrong with the others is a warning, or a fault when none
 * is left. The addresses of bindings that are never called, such as gRPC's `host:port`, stop nothing.
 */
export function chooseInterfaces(
  card: Place,
  interfaces: PlacedInterface[],
  context: CardContext,
): CallableInterface[] {
  const usable: { value: CallableInterface; place: Place }[] = [];
  const problems: InterfaceProblem[] = [];
  for (const { value, place, problem } of interfaces) {
    const spoken = asSpoken(value);
    const found = problem ?? (spoken && refusalProblem(place, value.url, context));
    if (found && spoken) problems.push(found);
    else if (found) tell(warn, found);
    else if (spoken) usable.push({ value: spoken, place });
  }
  const [first] = usable;
  for (const problem of problems) tell(first ? warn : fault, problem);
  if (first) warnAboutOrigin(member(first.place, 'url') ?? first.place, first.value.url, context);
  else if (card.sink.faults.length === 0) explainNone(card, interfaces);
  return usable.map(({ value }) => value);
}

function tell(report: typeof fault, { at, rule, words }: InterfaceProblem): void {
  report(at, rule, words);
}

function refusalProblem(place: Place, url: string, { refusalOf }: CardContext): InterfaceProblem | null {
  const fix = refusalOf(url);
  if (fix === null) return null;
  const at = member(place, 'url') ?? place;
  const words = { found: asFound(at.node), expected: 'an https address on the public Internet', fix };
  return { at, rule: 'endpoint.refused', words };
}

function warnAboutOrigin(place: Place, url: string, { cardUrl }: CardContext): void {
  const { origin } = new URL(url);
  const expected = new URL(cardUrl).origin;
  if (origin === expected) return;
  const fix = 'Confirm that calls shall go to another origin than the card came from, or serve the card from there.';
  warn(place, 'endpoint.other-origin', { found: origin, expected, fix });
}

/** Says why no interface can be called although none has a bad address. */
function explainNone(card: Place, interfaces: PlacedInterface[]): void {
  const known = interfaces.find(({ value }) => /^(JSONRPC|HTTP\+JSON)$/i.test(value.binding));
  const list = member(card, 'supportedInterfaces') ?? card;
  if (known) {
    fault(member(known.place, 'protocolVersion') ?? known.place, 'interface.version', {
      found: quote(known.value.protocolVersion),
      expected: '1.0 or 0.3',
      fix: 'Offer JSON-RPC or HTTP+JSON in A2A 1.0 or 0.3.',
    });
  } else if (interfaces.length > 0) {
    explainBindings(card, interfaces);
  } else {
    const found = list === card ? 'nothing' : asFound(list.node);
    const at = list === card ? { ...card, pointer: '/supportedInterfaces' } : list;
    const rule = list === card ? 'member.required' : 'interface.none';
    fault(at, rule, { found, expected: 'a list with at least one interface', fix: 'Name the address of the agent.' });
  }
}

function explainBindings(card: Place, interfaces: PlacedInterface[]): void {
  const first = interfaces[0]?.place ?? card;
  const at = member(first, 'protocolBinding') ?? member(first, 'preferredTransport') ?? first;
  const bindings = interfaces.map(({ value }) => value.binding);
  fault(at, 'interface.binding', {
    found: quote(bindings.slice(0, 5).join(', ')),
    expected: 'an interface with the binding JSONRPC or HTTP+JSON',
    fix: 'Offer JSON-RPC or HTTP+JSON as well: Parley calls agents in these.',
  });
}
