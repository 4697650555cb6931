import { agentChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { newId } from '../../platform/ids';
import type { JsonObject } from '../../protocol/json';
import { summaryFieldsOf, toCardVersion } from '../cards/card-version';
import { checkHubCard } from '../cards/offered-card';
import { type AgentRecord, BUILT_IN_OWNER, builtInUrlOf } from '../record';
import { selectAgentBySlug } from '../store/agent-rows';
import { selectCardBytes } from '../store/card-rows';
import { changeAgent, insertAgent } from '../store/change-agent';

/** An agent that Parley runs itself. */
interface BuiltInListing {
  slug: string;
  /** The agent's card, without URLs. */
  card: JsonObject;
}

/**
 * Lists an agent that Parley runs itself, or updates its listing. Safe to run concurrently on several nodes. Returns
 * null if the slug belongs to another agent.
 */
export async function listBuiltInAgent({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: BuiltInListing;
}): Promise<AgentRecord | null> {
  const { slug } = input;
  const checked = { ...checkHubCard(slug, input.card), listedUrl: builtInUrlOf(slug) };
  if (!checked.reading.ok) throw new Error(`the card of the built-in agent ${slug} is invalid`);
  const version = toCardVersion(checked, checked.reading.card, ctx.now);
  const fields = { ...summaryFieldsOf(version), tags: [], updatedAt: ctx.now };
  const existing = await selectAgentBySlug(slug);
  if (!existing) {
    const listing = { visibility: 'public', status: 'active', everPublic: true, createdAt: ctx.now } as const;
    const agent = { id: newId('agt'), slug, ownerId: BUILT_IN_OWNER, appId: null, url: checked.listedUrl };
    const audit = agentChanged(ctx, { ...agent, change: 'listed' });
    await insertAgent({ ...agent, ...fields, ...listing }, { version, audit });
    return selectBuiltIn(slug);
  }
  if (existing.ownerId !== BUILT_IN_OWNER) return null;
  const isCurrent = version.bytes.equals((await selectCardBytes(existing.id)) ?? Buffer.alloc(0));
  if (isCurrent && existing.status === 'active' && existing.visibility === 'public') return existing;
  const changes = { ...fields, url: checked.listedUrl, visibility: 'public', status: 'active' } as const;
  return changeAgent(existing, changes, {
    ...(!isCurrent && { version }),
    audit: agentChanged(ctx, { ...existing, change: 'listed' }),
    force: true,
  });
}

/** Withdraws the listing of a built-in agent that is disabled. Its conversations stay readable. */
export async function withdrawBuiltInAgent({
  ctx,
  input: { slug },
}: {
  ctx: Ctx;
  input: Pick<BuiltInListing, 'slug'>;
}): Promise<void> {
  const agent = await selectBuiltIn(slug);
  if (!agent || agent.status === 'withdrawn') return;
  const audit = agentChanged(ctx, { ...agent, change: 'withdrawn' });
  await changeAgent(agent, { status: 'withdrawn', updatedAt: ctx.now }, { audit, force: true });
}

async function selectBuiltIn(slug: string): Promise<AgentRecord | null> {
  const agent = await selectAgentBySlug(slug);
  return agent?.ownerId === BUILT_IN_OWNER ? agent : null;
}
