import { asParleyError } from '../platform/errors';
import { errorFields, log } from '../platform/log';
import { type CardCandidate, locateListedCard } from './card-location';
import { summaryFieldsOf, toCardVersion } from './card-version';
import { type CheckedCard, checkCard } from './check-card';
import { cardInvalid } from './errors';
import { fetchNewerCard } from './fetch-card';
import { changesOf } from './policy';
import type { AgentRecord } from './record';
import { changeAgent, savePendingCard, selectAgentById } from './store/agents';
import { claimDueCards, type DueCard, markFetchFailed, markUnchanged } from './store/card-refresh-state';

const batchSize = 10;

interface JobContext {
  now: Date;
  signal: AbortSignal;
}

/**
 * Looks at listed cards that are due, each at most hourly and by one node at a time. A new card goes live, unless calls
 * would go to another host or another key signs: then it waits for its owner. A card that cannot be had stays as it is.
 * Answers how many were looked at.
 */
export async function refreshCards(job: JobContext): Promise<number> {
  const due = await claimDueCards(job.now, batchSize);
  await Promise.all(due.map((card) => tryRefresh(card, job)));
  return due.length;
}

async function tryRefresh(card: DueCard, job: JobContext): Promise<void> {
  try {
    await refreshCard(card, job);
  } catch (error) {
    if (!job.signal.aborted) log.error('card.refresh_failed', { agentId: card.agentId, ...errorFields(error) });
  }
}

async function refreshCard(due: DueCard, job: JobContext): Promise<void> {
  const agent = await selectAgentById(due.agentId);
  if (!agent) return;
  try {
    await applyNewerCard(agent, due, job);
  } catch (error) {
    const known = asParleyError(error);
    if (!known || job.signal.aborted) throw error;
    await markFetchFailed(agent.id, { now: job.now, reason: known.message });
  }
}

async function applyNewerCard(agent: AgentRecord, due: DueCard, job: JobContext): Promise<void> {
  const { now, signal } = job;
  const fetched = await fetchNewerCard(candidatesOf(agent, due), signal, due);
  if (!fetched) return markUnchanged(agent.id, { now });
  const checked = await checkCard(fetched, job);
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  const version = toCardVersion(checked, checked.reading.card, now);
  if (version.digest === due.digest) return updateSignature(agent, checked, now);
  if (version.digest === due.waitingDigest || version.digest === due.keptOut) return markUnchanged(agent.id, { now });
  const reasons = changesOf(agent, version);
  if (agent.holdsCards) reasons.push({ what: 'asked' });
  if (reasons.length > 0) return savePendingCard(agent, { version, reasons });
  await changeAgent(agent, { ...summaryFieldsOf(version), updatedAt: now }, { version });
}

/** Where the card was last is looked first. */
function candidatesOf({ url }: AgentRecord, { cardUrl }: DueCard): CardCandidate[] {
  const candidates = locateListedCard(url);
  const last = candidates.find((candidate) => candidate.cardUrl === cardUrl);
  const assumedEndpoint = candidates[0]?.assumedEndpoint ?? null;
  return [
    last ?? { cardUrl, listedUrl: url, assumedEndpoint, isGuess: false },
    ...candidates.filter((candidate) => candidate !== last && !candidate.isGuess),
  ];
}

/** A signature that could not be checked before may be good by now; one that was good stays so. */
async function updateSignature(agent: AgentRecord, { validators, signature }: CheckedCard, now: Date): Promise<void> {
  const better = agent.signature.state !== 'verified' && signature.state !== agent.signature.state;
  await markUnchanged(agent.id, { now, validators, signature: better ? signature : undefined });
  if (better) await changeAgent(agent, { ...summaryFieldsOf({ card: agent.card, signature }), updatedAt: now });
}
