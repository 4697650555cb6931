import { type CallableInterface, type CoreInterface, callableInterfaces, majorMinor } from '../core/card';
import { type CardContext, quote } from './fault';
import {
  asFound,
  fault,
  isObjectPlace,
  listMember,
  member,
  type Place,
  type TextRule,
  textMember,
  warn,
} from './place';

/** An interface of the card, and where it stands there. */
export interface PlacedInterface {
  place: Place;
  value: CoreInterface;
}

const urlRule: TextRule = { need: 'required', max: 2000, example: '"https://agent.example.com/a2a/jsonrpc"' };

/** The interfaces of an A2A 1.0 card: `supportedInterfaces`, in the order of preference. */
export function readInterfacesV10(card: Place): PlacedInterface[] {
  const example = '[{"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]';
  const list = listMember(card, 'supportedInterfaces', { need: 'required', max: 50, example });
  return list.flatMap((place) => {
    if (!isObjectPlace(place, 'each interface')) return [];
    const url = absoluteUrl(place);
    const binding = textMember(place, 'protocolBinding', { need: 'required', max: 200, example: '"JSONRPC"' });
    const version = textMember(place, 'protocolVersion', { need: 'required', max: 20, example: '"1.0"' });
    const tenant = textMember(place, 'tenant', { need: 'optional', max: 200, example: '"…"' });
    const value = { url, binding, protocolVersion: majorMinor(version), tenant: tenant || null };
    return [{ place, value }];
  });
}

/** The one interface of an A2A 0.1 card: `url`, in JSON-RPC. */
export function readInterfacesV01(card: Place): PlacedInterface[] {
  return [{ place: card, value: { ...coreInterface(absoluteUrl(card), 'JSONRPC'), protocolVersion: '0.1' } }];
}

/** The same, and the main one once more in A2A 0.1, for cards that leave open which of the two it speaks. */
export function orFirstGeneration(interfaces: PlacedInterface[]): PlacedInterface[] {
  const [main] = interfaces;
  if (main?.value.binding.toUpperCase() !== 'JSONRPC') return interfaces;
  return [...interfaces, { place: main.place, value: { ...main.value, protocolVersion: '0.1' } }];
}

/** The interfaces of an A2A 0.3 card: `url` with `preferredTransport`, then `additionalInterfaces`. */
export function readInterfacesV03(card: Place): PlacedInterface[] {
  const transport: TextRule = { need: 'optional', max: 200, example: '"JSONRPC"' };
  const main = {
    place: card,
    value: coreInterface(absoluteUrl(card), textMember(card, 'preferredTransport', transport) || 'JSONRPC'),
  };
  const others = listMember(card, 'additionalInterfaces', { need: 'optional', max: 50, example: '[]' }).flatMap(
    (place) => {
      if (!isObjectPlace(place, 'each interface')) return [];
      const value = coreInterface(
        absoluteUrl(place),
        textMember(place, 'transport', { ...transport, need: 'required' }),
      );
      return [{ place, value }];
    },
  );
  const isMain = ({ value }: PlacedInterface): boolean =>
    value.url === main.value.url && value.binding === main.value.binding;
  return [main, ...others.filter((other) => !isMain(other))];
}

function coreInterface(url: string, binding: string): CoreInterface {
  return { url, binding, protocolVersion: '0.3', tenant: null };
}

function absoluteUrl(place: Place): string {
  const text = textMember(place, 'url', urlRule);
  const at = member(place, 'url');
  if (text !== '' && at && !URL.canParse(text)) {
    fault(at, 'url.absolute', {
      found: asFound(at.node),
      expected: 'an absolute address',
      fix: 'Write the whole address, such as https://agent.example.com/a2a/jsonrpc.',
    });
  }
  return text;
}

/** The interfaces Parley will call, in order; of none the sink knows why. */
export function chooseInterfaces(
  card: Place,
  interfaces: PlacedInterface[],
  context: CardContext,
): CallableInterface[] {
  const callable = callableInterfaces({ interfaces: interfaces.map(({ value }) => value) });
  const [first, ...others] = callable.filter(({ url }) => URL.canParse(url));
  if (!first) {
    if (callable.length === 0) explainNone(card, interfaces);
    return [];
  }
  const owner = interfaces.find(({ value }) => value.url === first.url)?.place ?? card;
  const place = member(owner, 'url') ?? owner;
  const refusal = context.refusalOf(first.url);
  if (refusal !== null) {
    const words = { found: asFound(place.node), expected: 'an https address on the public Internet', fix: refusal };
    fault(place, 'endpoint.refused', words);
  } else if (new URL(first.url).origin !== new URL(context.cardUrl).origin) {
    warn(place, 'endpoint.other-origin', {
      found: new URL(first.url).origin,
      expected: new URL(context.cardUrl).origin,
      fix: 'Confirm that calls shall go to another origin than the card came from, or serve the card from there.',
    });
  }
  return [first, ...others.filter(({ url }) => context.refusalOf(url) === null)];
}

// What is absent has been told already.
function explainNone(card: Place, interfaces: PlacedInterface[]): void {
  const known = interfaces.find(({ value }) => /^(JSONRPC|HTTP\+JSON)$/i.test(value.binding));
  const list = member(card, 'supportedInterfaces');
  if (known) {
    const at = member(known.place, 'protocolVersion');
    const words = {
      found: known.value.protocolVersion,
      expected: '1.0 or 0.3',
      fix: 'Offer JSON-RPC or HTTP+JSON in A2A 1.0 or 0.3.',
    };
    if (at && known.value.protocolVersion !== '') fault(at, 'interface.version', words);
  } else if (interfaces.some(({ value }) => value.binding !== '')) {
    explainBindings(card, interfaces);
  } else if (list?.node.type === 'array' && list.node.children?.length === 0) {
    const words = { found: 'an empty list', expected: 'at least one interface', fix: 'Name the address of the agent.' };
    fault(list, 'interface.none', words);
  }
}

function explainBindings(card: Place, interfaces: PlacedInterface[]): void {
  const first = interfaces[0]?.place ?? card;
  const at = member(first, 'protocolBinding') ?? member(first, 'preferredTransport') ?? first;
  const bindings = interfaces.map(({ value }) => value.binding || 'no binding');
  fault(at, 'interface.binding', {
    found: quote(bindings.slice(0, 5).join(', ')),
    expected: 'an interface with the binding JSONRPC or HTTP+JSON',
    fix: 'Offer JSON-RPC or HTTP+JSON as well: Parley calls agents in these.',
  });
}
