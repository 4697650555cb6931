import { authorize } from '../../identity';
import { consume } from '../../limits';
import { agentChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { findAgent } from '../agents/find-agent';
import { presentStoredCredential } from '../agents/present-credential';
import { requireRole } from '../authorization';
import { type CardCandidate, locateListedCard } from '../cards/card-location';
import { changesOf, diffCards, summaryFieldsOf, toCardVersion } from '../cards/card-version';
import { checkCard } from '../cards/check-card';
import { type FetchedCard, fetchCard, fetchNewerCard } from '../cards/fetch-card';
import { readMcpCard } from '../cards/mcp-card';
import { listNewerCard } from '../cards/offered-card';
import { cardInvalid, cardUnreachable, notForHubAgents } from '../errors';
import { CARD_REFRESH_BATCH } from '../limits';
import { REGISTRATION_LIMIT } from '../rate-limits';
import { type AgentRecord, type CardVersion, isHubUrl, isMcpServer } from '../record';
import type { CardRefresh } from '../schema-cards';
import { selectAgentById } from '../store/agent-rows';
import { claimDueCards, type DueCard, markFetchFailed, selectRefreshState } from '../store/card-rows';
import { changeAgent } from '../store/change-agent';
import { markUnchanged } from '../store/change-cards';

interface JobContext {
  now: Date;
  signal: AbortSignal;
}

/**
 * Fetches the card of an agent of the user's team. Without `etag`, returns the differences and the fetched card's
 * `etag`, and changes nothing. With that `etag`, lists the card.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `forbidden` for viewers, `rate_limited`, `card_unreachable`, `card_invalid` with `faults`; `conflict` if the
 *   agent now serves a different card, or connects to Parley
 */
export async function refreshAgent({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; etag?: string };
}): Promise<CardRefresh> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  if (isHubUrl(agent.url)) throw notForHubAgents('Its workers send the card, or you set it as "card" of the listing.');
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const fetched = isListedAsServer(agent)
    ? await readTools(agent, ctx)
    : await fetchCard(locateListedCard(agent.url), ctx.signal);
  const version = await checkVersion(fetched, ctx);
  const comparison = compare(agent, version);
  if (input.etag === undefined) return comparison;
  if (input.etag !== comparison.etag) {
    const text = 'The agent now serves a different card. Review its changes before you publish it.';
    throw new ParleyError('conflict', text, { data: { etag: comparison.etag } });
  }
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card'] });
  await changeAgent(agent, { ...summaryFieldsOf(version), updatedAt: ctx.now }, { version, audit });
  return { ...comparison, changed: false };
}

function compare(agent: AgentRecord, version: CardVersion): CardRefresh {
  const diff = diffCards(agent.card, version.card);
  return { changed: diff.length > 0, diff, reasons: changesOf(agent, version), etag: version.digest };
}

/** Returns why an agent's card cannot be fetched or read, or null. The caller must have authorized the user. */
export async function getCardFailure(agentId: string): Promise<string | null> {
  const refreshState = await selectRefreshState(agentId);
  return refreshState?.failingSince ? (refreshState.failure ?? '') : null;
}

/**
 * Fetches the listed cards that are due, each on one node, and returns their number. A changed card is listed, or waits
 * for approval if {@link changesOf} or the owner requires it. After a failure, the listed card is kept.
 */
export async function refreshCards(job: JobContext): Promise<number> {
  const due = await claimDueCards(job.now, CARD_REFRESH_BATCH);
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
    if (!(error instanceof ParleyError) || job.signal.aborted) throw error;
    await markFetchFailed(agent.id, { now: job.now, reason: error.message });
  }
}

async function applyNewerCard(agent: AgentRecord, due: DueCard, job: JobContext): Promise<void> {
  const { now, signal } = job;
  const fetched = isListedAsServer(agent)
    ? await readTools(agent, job)
    : await fetchNewerCard(candidatesOf(agent, due), signal, due);
  if (!fetched) return markUnchanged(agent.id, { now });
  const version = await checkVersion(fetched, job);
  if (version.digest === due.digest) return updateSignature(agent, version, now);
  await listNewerCard(agent, { version, known: due, now });
}

/**
 * Returns true if the agent was listed as an MCP server. A card elsewhere may name the server of another host as its only
 * interface; the credential is that server's, and must not be sent to the host of the card.
 */
function isListedAsServer(agent: AgentRecord): boolean {
  return isMcpServer(agent) && agent.endpoints[0].url === agent.url;
}

/**
 * Reads the tools of a listed MCP server.
 * @throws {ParleyError} `card_unreachable`
 */
async function readTools({ id, url }: AgentRecord, { now, signal }: JobContext): Promise<FetchedCard> {
  const authorization = await presentStoredCredential(id, now);
  const found = await readMcpCard(url, { signal, authorization });
  return found ?? Promise.reject(cardUnreachable(`There is no MCP server at ${url}.`));
}

/**
 * Validates the fetched card and converts it to a version.
 * @throws {ParleyError} `card_invalid`
 */
async function checkVersion(fetched: FetchedCard, job: JobContext): Promise<CardVersion> {
  const checked = await checkCard(fetched, job);
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  return toCardVersion(checked, checked.reading.card, job.now);
}

/** Returns the candidate URLs, that of the listed version first. */
function candidatesOf({ url }: AgentRecord, { cardUrl }: DueCard): CardCandidate[] {
  const candidates = locateListedCard(url);
  const last = candidates.find((candidate) => candidate.cardUrl === cardUrl);
  const assumedEndpoint = candidates[0]?.assumedEndpoint ?? null;
  return [
    last ?? { cardUrl, listedUrl: url, assumedEndpoint, isGuess: false },
    ...candidates.filter((candidate) => candidate !== last && !candidate.isGuess),
  ];
}

/**
 * Applies a better verification result, for example after the JWKS was unreachable. A verified signature stays
 * verified.
 */
async function updateSignature(agent: AgentRecord, { validators, signature }: CardVersion, now: Date): Promise<void> {
  const isBetter = agent.signature.state !== 'verified' && signature.state !== agent.signature.state;
  await markUnchanged(agent.id, { now, validators, signature: isBetter ? signature : undefined });
  if (isBetter) await changeAgent(agent, { ...summaryFieldsOf({ card: agent.card, signature }), updatedAt: now });
}
