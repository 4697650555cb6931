import { consume } from '../limits';
import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { locateListedCard } from './card-location';
import { type CardVersion, summaryFieldsOf, toCardVersion } from './card-version';
import { checkCard } from './check-card';
import { diffCards } from './diff-cards';
import { cardInvalid } from './errors';
import { fetchCard } from './fetch-card';
import { findAgent } from './find-agent';
import { changesOf, requireRole, requireUser } from './policy';
import { REGISTRATION_LIMIT } from './rate-limits';
import type { AgentRecord } from './record';
import type { CardRefresh } from './schema-card-updates';
import { changeAgent } from './store/agents';

/**
 * Fetches the card of an agent that the person manages. Without `etag` nothing changes: the answer says what is different, and
 * its `etag` stands for exactly the card that was compared. With it that card goes live.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`, `forbidden` for
 *   viewers, `rate_limited`, `card_unreachable`, `card_invalid` with `faults`; `conflict` when the card is another one by now
 */
export async function refreshAgent({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; etag?: string };
}): Promise<CardRefresh> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const version = await fetchVersion(agent, ctx);
  const comparison = compare(agent, version);
  if (input.etag === undefined) return comparison;
  if (input.etag !== comparison.etag) {
    const text = 'The agent serves another card by now. Look at what is different in it before it goes live.';
    throw new ParleyError('conflict', text, { data: { etag: comparison.etag } });
  }
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card'] });
  await changeAgent(agent, { ...summaryFieldsOf(version), updatedAt: ctx.now }, { version, audit });
  return { ...comparison, changed: false };
}

async function fetchVersion(agent: AgentRecord, ctx: Ctx): Promise<CardVersion> {
  const checked = await checkCard(await fetchCard(locateListedCard(agent.url), ctx.signal), ctx);
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  return toCardVersion(checked, checked.reading.card, ctx.now);
}

function compare(agent: AgentRecord, version: CardVersion): CardRefresh {
  const diff = diffCards(agent.card, version.card);
  return { changed: diff.length > 0, diff, reasons: changesOf(agent, version), etag: version.digest };
}
