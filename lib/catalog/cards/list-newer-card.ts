import type { AgentRecord } from '../record';
import { markUnchanged, savePendingCard } from '../store/card-refresh-state';
import type { CardDigests } from '../store/card-refreshes';
import { changeAgent } from '../store/change-agent';
import { type CardVersion, summaryFieldsOf } from './card-version';
import { changesOf } from './diff-cards';

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
