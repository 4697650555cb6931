/** What an extension of an agent card says about paying (ap2.md §1.1): the wire that the agent speaks. */
type PaymentProtocol = 'ap2-0.1' | 'ucp' | 'x402';

const extensions: readonly { uri: RegExp; protocol: PaymentProtocol }[] = [
  // AP2 0.1 names the first in its text, its samples the second (`…/ap2/v1`); the last two are older, Web42's among them.
  { uri: /^https:\/\/github\.com\/google-agentic-commerce\/ap2\//i, protocol: 'ap2-0.1' },
  { uri: /^https:\/\/google-a2a\.github\.io\/A2A\/ext(ensions)?\/payments\//i, protocol: 'ap2-0.1' },
  { uri: /^https:\/\/ucp\.dev\/[^/]+\/specification\/reference\/?$/i, protocol: 'ucp' },
  { uri: /^https:\/\/github\.com\/google-(a2a|agentic-commerce)\/a2a-x402\//i, protocol: 'x402' },
];

/** The wire that an extension URI stands for; null when it has nothing to do with paying. */
function paymentProtocolOf(uri: string): PaymentProtocol | null {
  return extensions.find((extension) => extension.uri.test(uri))?.protocol ?? null;
}

/** True for an extension under which an agent can be paid through Parley; x402 is shown, and not payable here. */
export function isPaymentExtension(uri: string): boolean {
  const protocol = paymentProtocolOf(uri);
  return protocol !== null && protocol !== 'x402';
}
