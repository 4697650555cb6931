import type { CoreCard } from './a2a/core/card';
import { isA2uiExtension } from './a2ui/actions/announce';
import { MAX_EXTENSION_URI_LENGTH, MAX_EXTENSIONS } from './limits';

/**
 * The extensions of one call (A2A 1.0 §4.6, 0.3 `X-A2A-Extensions`): those that the caller requested, and those that
 * the agent activated, which are set when its response starts.
 */
export interface ExtensionUse {
  readonly requested: readonly string[];
  activated: string[];
}

/** The characters of RFC 3986 except the comma, which is the separator (RFC 9110 §5.6.1). */
const uriPattern = /^[\w.~:/?#[\]@!$&'()*+;=%-]+$/;

/** Returns the distinct URIs in a header, or an error text if the header is invalid. */
export function readExtensionList(header: string): { uris: string[] } | { fault: string } {
  const uris = elementsOf(header);
  const invalid = uris.find((uri) => !isExtensionUri(uri));
  if (invalid !== undefined) {
    return {
      fault: `found ${JSON.stringify(invalid.slice(0, 80))}; expected URIs of at most ${MAX_EXTENSION_URI_LENGTH} characters, separated by commas`,
    };
  }
  if (uris.length > MAX_EXTENSIONS)
    return { fault: `found ${uris.length} extensions; expected at most ${MAX_EXTENSIONS}` };
  return { uris };
}

/** Returns the extensions that an agent's response activates; invalid URIs are ignored. */
export function readActivatedExtensions(headers: Record<string, string>): string[] {
  const headerValues = [headers['a2a-extensions'], headers['x-a2a-extensions']].filter(
    (header) => header !== undefined,
  );
  if (headerValues.length === 0) return [];
  return elementsOf(headerValues.join(',')).filter(isExtensionUri).slice(0, MAX_EXTENSIONS);
}

function isExtensionUri(text: string): boolean {
  return text.length <= MAX_EXTENSION_URI_LENGTH && uriPattern.test(text);
}

function elementsOf(header: string): string[] {
  const elements = header.split(',').map((element) => element.replace(/^[ \t]+|[ \t]+$/g, ''));
  return [...new Set(elements.filter((element) => element !== ''))];
}

/** The payment protocol of a card's extension. */
type PaymentProtocol = 'ap2-0.1' | 'ucp' | 'x402';

const extensions: readonly { uri: RegExp; protocol: PaymentProtocol }[] = [
  // The URIs in the text and samples of AP2 0.1 (`…/ap2/v1`); the second pattern is older and used by Web42.
  { uri: /^https:\/\/github\.com\/google-agentic-commerce\/ap2\//i, protocol: 'ap2-0.1' },
  { uri: /^https:\/\/google-a2a\.github\.io\/A2A\/ext(ensions)?\/payments\//i, protocol: 'ap2-0.1' },
  { uri: /^https:\/\/ucp\.dev\/[^/]+\/specification\/reference\/?$/i, protocol: 'ucp' },
  { uri: /^https:\/\/github\.com\/google-(a2a|agentic-commerce)\/a2a-x402\//i, protocol: 'x402' },
];

/** Returns the payment protocol of an extension URI; null for other extensions. */
function paymentProtocolOf(uri: string): PaymentProtocol | null {
  return extensions.find((extension) => extension.uri.test(uri))?.protocol ?? null;
}

/** Returns true for an extension by which Parley can pay an agent. x402 is displayed but cannot be paid. */
export function isPaymentExtension(uri: string): boolean {
  const protocol = paymentProtocolOf(uri);
  return protocol !== null && protocol !== 'x402';
}

/**
 * Extensions that need no client code, because the agent only adds members to `metadata`, which other clients ignore.
 */
const metadataOnlyExtensions: readonly RegExp[] = [
  /^https:\/\/github\.com\/a2aproject\/a2a-samples\/(samples\/)?extensions\/(timestamp|traceability)\/v1$/,
  /^https:\/\/a2a-extensions\.(agentstack\.)?beeai\.dev\/ui\/(trajectory|citation|agent-detail|error)\/v1$/,
];

/**
 * Returns true for an extension that the chat, the CLI and the SDK can activate: AP2, A2UI, whose messages are data for
 * clients that do not display them, and extensions that need no client code.
 */
export function isSupportedExtension(uri: string): boolean {
  return isPaymentExtension(uri) || isA2uiExtension(uri) || metadataOnlyExtensions.some((known) => known.test(uri));
}

type DeclaredCapabilities = Pick<CoreCard, 'capabilities'>;

/**
 * Returns the extensions of a card that Parley's own clients activate: required ones that they support, and payment
 * extensions even if optional.
 */
export function extensionsToActivate({ capabilities }: DeclaredCapabilities): string[] {
  return capabilities.extensions
    .filter(({ uri, required }) => isPaymentExtension(uri) || (required && isSupportedExtension(uri)))
    .map(({ uri }) => uri);
}

/** Returns the extensions that a card requires. */
export function requiredExtensions({ capabilities }: DeclaredCapabilities): string[] {
  return capabilities.extensions.filter(({ required }) => required).map(({ uri }) => uri);
}
