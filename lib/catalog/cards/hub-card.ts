import { env } from '../../platform/runtime/env';
import { readCard } from '../../protocol/a2a/cards/read-card';
import type { JsonObject } from '../../protocol/json';
import { hubUrlOf } from '../agents/internal-urls';
import type { CheckedCard } from './check-card';

/** The members of a card that name an address. The card of an agent that connects to Parley has Parley's addresses. */
const addressMembers = ['url', 'supportedInterfaces', 'preferredTransport', 'additionalInterfaces', 'protocolVersion'];

/** The card of an agent whose owner provided none. */
function defaultCard(slug: string): JsonObject {
  const words = slug.split('-').join(' ');
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  return {
    name,
    description: `${name} connects to Parley.`,
    version: '1.0.0',
    skills: [{ id: 'chat', name: 'Chat', description: 'Answers messages.', tags: ['chat'] }],
  };
}

/**
 * Validates the card of an agent that connects to Parley. Its address is the agent's at Parley, and it streams; the
 * card's values for both are replaced.
 */
export function checkHubCard(slug: string, given?: JsonObject): CheckedCard {
  const { capabilities, ...card } = given ?? defaultCard(slug);
  for (const name of addressMembers) delete card[name];
  const url = `${env().APP_URL}/agents/${slug}/a2a/jsonrpc`;
  const written = {
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    ...card,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {
      ...(typeof capabilities === 'object' ? capabilities : {}),
      streaming: true,
      pushNotifications: false,
    },
  };
  const bytes = Buffer.from(JSON.stringify(written));
  const reading = readCard(bytes, { cardUrl: url, assumedEndpoint: null, refusalOf: () => null });
  return {
    cardUrl: url,
    listedUrl: hubUrlOf(slug),
    assumedEndpoint: null,
    bytes,
    validators: { etag: null, lastModified: null },
    reading,
    signature: { state: 'unsigned' },
  };
}
