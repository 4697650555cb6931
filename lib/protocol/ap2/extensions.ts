/** What an extension of an agent card says about paying (ap2.md §1.1): the wire that the agent speaks. */
type PaymentWire = 'ap2-0.1' | 'ucp' | 'x402';

const extensions: readonly { uri: RegExp; wire: PaymentWire }[] = [
  // AP2 0.1 names the first in its text, its samples the second (`…/ap2/v1`); the last two are older, Web42's among them.
  { uri: /^https:\/\/github\.com\/google-agentic-commerce\/ap2\//i, wire: 'ap2-0.1' },
  { uri: /^https:\/\/google-a2a\.github\.io\/A2A\/ext(ensions)?\/payments\//i, wire: 'ap2-0.1' },
  { uri: /^https:\/\/ucp\.dev\/[^/]+\/specification\/reference\/?$/i, wire: 'ucp' },
  { uri: /^https:\/\/github\.com\/google-(a2a|agentic-commerce)\/a2a-x402\//i, wire: 'x402' },
];

/** The wire that an extension URI stands for; null when it has nothing to do with paying. */
function paymentWireOf(uri: string): PaymentWire | null {
  return extensions.find((extension) => extension.uri.test(uri))?.wire ?? null;
}

/** True for an extension under which an agent can be paid through Parley; x402 is shown, and not payable here. */
export function isPaymentExtension(uri: string): boolean {
  const wire = paymentWireOf(uri);
  return wire !== null && wire !== 'x402';
}
