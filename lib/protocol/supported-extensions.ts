import type { CoreCard } from './a2a/core/card';
import { isPaymentExtension } from './ap2/extensions';

/**
 * Extensions that ask nothing of whoever activates them: the agent adds members to `metadata` of what it says anyway, and who does
 * not know them passes over them.
 */
const metadataOnlyExtensions: readonly RegExp[] = [
  /^https:\/\/github\.com\/a2aproject\/a2a-samples\/(samples\/)?extensions\/(timestamp|traceability)\/v1$/,
  /^https:\/\/a2a-extensions\.(agentstack\.)?beeai\.dev\/ui\/(trajectory|citation|agent-detail|error)\/v1$/,
];

/** True for an extension that the chat, the CLI and the SDK can activate: AP2, and those that need no code on our side. */
export function isSupportedExtension(uri: string): boolean {
  return isPaymentExtension(uri) || metadataOnlyExtensions.some((known) => known.test(uri));
}

type DeclaredCapabilities = Pick<CoreCard, 'capabilities'>;

/** What our own clients activate at an agent: what they support of what its card names, payments also where they are optional. */
export function extensionsToActivate({ capabilities }: DeclaredCapabilities): string[] {
  return capabilities.extensions
    .filter(({ uri, required }) => isPaymentExtension(uri) || (required && isSupportedExtension(uri)))
    .map(({ uri }) => uri);
}

/** The extensions that a card requires. */
export function requiredExtensions({ capabilities }: DeclaredCapabilities): string[] {
  return capabilities.extensions.filter(({ required }) => required).map(({ uri }) => uri);
}
