import type { JsonObject } from '../../protocol/json';
import { isHubUrl } from '../agents/internal-urls';
import { cardInvalid } from '../errors';
import type { AgentRecord } from '../record';
import { selectAgentById } from '../store/agent-rows';
import {
  type CardDigests,
  markFetchFailed,
  markUnchanged,
  savePendingCard,
  selectCardDigests,
} from '../store/card-refreshes';
import { changeAgent } from '../store/change-agent';
import { type CardVersion, summaryFieldsOf, toCardVersion } from './card-version';
import { changesOf, diffCards } from './diff-cards';
import { checkHubCard } from './hub-card';

/**
 * Applies the card that a worker sent. Like a refreshed one it is listed, or awaits approval if the owner requires it;
 * an invalid one is recorded for the team, and the listed card stays.
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
  // Two workers may send the same card with its members in another order.
  const isListed = diffCards(agent.card, version.card).length === 0;
  if (isListed) return markUnchanged(agentId, { now });
  await listNewerCard(agent, { version, known, now });
}

/**
 * The card that the owner provides for an agent that connects to Parley.
 * @throws {ParleyError} `card_invalid`
 */
export function readGivenCard({ slug }: Pick<AgentRecord, 'slug'>, card: JsonObject, now: Date): CardVersion {
  const checked = checkHubCard(slug, card);
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  return toCardVersion(checked, checked.reading.card, now);
}

/**
 * Lists a version that differs from the listed one, or keeps it for approval if {@link changesOf} or the owner requires
 * it. A version that awaits approval or was rejected changes nothing.
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
