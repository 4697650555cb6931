import { env } from '../../platform/runtime/env';
import { readCard } from '../../protocol/a2a/cards/read-card';
import type { JsonObject } from '../../protocol/json';
import { cardInvalid } from '../errors';
import { type AgentRecord, type CardVersion, hubUrlOf, isHubUrl } from '../record';
import { selectAgentById } from '../store/agent-rows';
import { type CardDigests, markFetchFailed, selectCardDigests } from '../store/card-rows';
import { changeAgent } from '../store/change-agent';
import { markUnchanged, savePendingCard } from '../store/change-cards';
import { changesOf, diffCards, summaryFieldsOf, toCardVersion } from './card-version';
import type { CheckedCard } from './check-card';

/** The members of a card that contain a URL. The card of an agent that connects to Parley has Parley's URLs. */
const addressMembers = ['url', 'supportedInterfaces', 'preferredTransport', 'additionalInterfaces', 'protocolVersion'];

/** Returns the card of an agent whose owner provided none. */
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
 * Validates the card of an agent that connects to Parley. Replaces its URL with the agent's URL on Parley, and declares
 * streaming.
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

/**
 * Applies the card that a worker sent. Like a refreshed card, it is listed, or awaits approval if the owner requires
 * it. An invalid card is recorded for the team, and the listed card is kept.
 */
export async function applyOfferedCard({
  agentId,
  card,
  now,
}: {
  agentId: string;
  card: JsonObject;
  now: Date;
}): Promise<void> {
  const [agent, known] = await Promise.all([selectAgentById(agentId), selectCardDigests(agentId)]);
  if (!agent || !known || !isHubUrl(agent.url)) return;
  const { reading, ...checked } = checkHubCard(agent.slug, card);
  if (!reading.ok) return markFetchFailed(agentId, { now, reason: cardInvalid(reading.faults).message });
  const version = toCardVersion({ ...checked, reading }, reading.card, now);
  // Two workers may send the same card with its members in different order.
  const isListed = diffCards(agent.card, version.card).length === 0;
  if (isListed) return markUnchanged(agentId, { now });
  await listNewerCard(agent, { version, known, now });
}

/**
 * Reads the card that the owner provides for an agent that connects to Parley.
 * @throws {ParleyError} `card_invalid`
 */
export function readGivenCard({ slug }: Pick<AgentRecord, 'slug'>, card: JsonObject, now: Date): CardVersion {
  const checked = checkHubCard(slug, card);
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  return toCardVersion(checked, checked.reading.card, now);
}

/**
 * Lists a version that differs from the listed one, or stores it for approval if {@link changesOf} or the owner
 * requires it. Does nothing for a version that already awaits approval or was rejected.
 */
export async function listNewerCard(
  agent: AgentRecord,
  { version, known, now }: { version: CardVersion; known: Omit<CardDigests, 'digest'>; now: Date },
): Promise<void> {
  const isKnown = version.digest === known.pendingDigest || version.digest === known.rejectedDigest;
  if (isKnown) return markUnchanged(agent.id, { now });
  const reasons = changesOf(agent, version);
  if (agent.holdsCards) reasons.push({ what: 'asked' });
  if (reasons.length > 0) return savePendingCard(agent.id, { version, reasons });
  await changeAgent(agent, { ...summaryFieldsOf(version), updatedAt: now }, { version });
}
