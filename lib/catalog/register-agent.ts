import { consume } from '../limits';
import { agentChanged } from '../observability';
import type { Ctx, UserActor } from '../platform/context';
import { newId } from '../platform/ids';
import type { CardReading } from '../protocol/a2a/cards/read-card';
import { locateCard } from './card-location';
import { type CardVersion, summaryFieldsOf, toCardVersion } from './card-version';
import { type CheckedCard, checkCard, otherOriginOf } from './check-card';
import { appNotOwned, cardInvalid, originNotConfirmed, slugRefused, slugTaken, urlTaken } from './errors';
import { fetchCard } from './fetch-card';
import { findAgentById } from './find-agent';
import { hasRole, requireMember, requireUser } from './policy';
import { REGISTRATION_LIMIT } from './rate-limits';
import type { AgentRecord } from './record';
import { type AgentView, normaliseTag, type RegisterInput } from './schema';
import { tagsOfSkills } from './search-row';
import { freeSlug, slugFault, slugOf } from './slug';
import {
  type AgentChanges,
  changeAgent,
  insertAgent,
  type NewAgent,
  selectAgentByUrl,
  selectSlugsLike,
} from './store/agents';
import { ensurePublisher } from './store/publishers';
import { toView, withWarnings } from './to-wire';

/** Tells whether a developer app is a person's; passed in by the endpoint, because apps live above the catalogue. */
export type OwnsApp = (input: { userId: string; appId: string }) => Promise<boolean>;

const maxAttempts = 5;

/**
 * Lists the agent at an address, or brings the same owner's listing of it up to date (a withdrawn one comes back).
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `invalid_request` for slug and app,
 *   `url_refused`, `card_unreachable`, `card_invalid` with `faults`, `confirm_origin`, `agent_url_taken`, `conflict`
 */
export async function registerAgent({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: RegisterInput;
  ownsApp: OwnsApp;
}): Promise<{ agent: AgentView; created: boolean }> {
  const user = requireUser(ctx.actor, 'agents:write');
  await requireOwnApp(user, input.appId, ownsApp);
  const fault = input.slug === undefined ? null : slugFault(input.slug);
  if (fault !== null) throw slugRefused(fault);
  const candidates = locateCard(input.url);
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const fetched = await fetchCard(candidates, ctx.signal);
  const known = await selectAgentByUrl(fetched.listedUrl);
  if (known && !mayRelist(user, known)) throw urlTaken();
  const checked = await checkCard(fetched, ctx);
  const reading = requireListable(checked, { input, known });
  const listing = { ctx, user, input, url: fetched.listedUrl, version: toCardVersion(checked, reading.card, ctx.now) };
  for (let attempt = 1; ; attempt++) {
    const listed = await tryList(listing);
    const { warnings } = reading;
    if (listed) return { agent: withWarnings(toView(listed.agent, null), warnings), created: listed.created };
    if (attempt === maxAttempts) throw slugTaken(input.slug ?? slugOf(reading.card.name));
  }
}

/** Only its owner brings a withdrawn agent back. */
function mayRelist(user: UserActor, known: AgentRecord): boolean {
  return hasRole(user, known, known.status === 'withdrawn' ? 'owner' : 'developer');
}

/** @throws {ParleyError} `invalid_request` when the app is not this person's */
export async function requireOwnApp(
  user: UserActor,
  appId: string | null | undefined,
  ownsApp: OwnsApp,
): Promise<void> {
  if (appId && !(await ownsApp({ userId: user.userId, appId }))) throw appNotOwned();
}

type Readable = Extract<CardReading, { ok: true }>;

function requireListable(
  checked: CheckedCard,
  { input, known }: { input: RegisterInput; known: AgentRecord | null },
): Readable {
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  // Where calls of this listing go already, its owner has agreed to.
  const allowedOrigins = known?.endpoints.map(({ url }) => new URL(url).origin);
  const otherOrigin = otherOriginOf(checked, allowedOrigins);
  if (otherOrigin && input.confirmOrigin !== true) throw originNotConfirmed(otherOrigin);
  return checked.reading;
}

interface Listing {
  ctx: Ctx;
  user: UserActor;
  input: RegisterInput;
  url: string;
  version: CardVersion;
}

/** Answers null when somebody took the slug or the address in the same moment: the next try sees what they did. */
async function tryList(listing: Listing): Promise<{ agent: AgentRecord; created: boolean } | null> {
  const known = await selectAgentByUrl(listing.url);
  if (known && !mayRelist(listing.user, known)) throw urlTaken();
  if (known) return { agent: await relist(known, listing), created: false };
  const slug = await chooseSlug(listing.input.slug, listing.version.card.name);
  if (slug === null) return null;
  const agent = draftOf(slug, listing);
  const audit = agentChanged(listing.ctx, { ...agent, change: 'listed' });
  if (!(await insertAgent(agent, { version: listing.version, audit }))) return null;
  await ensurePublisher(listing.user.userId, slugOf(listing.user.name), listing.ctx.now);
  const inserted = await findAgentById(agent.id);
  return inserted ? { agent: inserted, created: true } : null;
}

function draftOf(slug: string, { ctx, user, input, url, version }: Listing): NewAgent {
  const visibility = input.visibility ?? 'public';
  return {
    id: newId('agt'),
    slug,
    ownerId: user.userId,
    appId: input.appId ?? null,
    url,
    ...summaryFieldsOf(version),
    tags: input.tags ?? tagsOfSkills(version.card, normaliseTag),
    visibility,
    status: 'active',
    everPublic: visibility === 'public',
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** A slug that is free; null when the wanted one is taken, perhaps by this very listing a moment ago. */
async function chooseSlug(wanted: string | undefined, name: string): Promise<string | null> {
  const slug = wanted ?? slugOf(name);
  const taken = await selectSlugsLike(slug);
  return wanted !== undefined && taken.has(wanted) ? null : freeSlug(slug, taken);
}

async function relist(known: AgentRecord, { ctx, user, input, version }: Listing): Promise<AgentRecord> {
  if (input.slug !== undefined && input.slug !== known.slug) {
    throw slugRefused(`This address is listed as "${known.slug}", and a slug cannot change. Leave "slug" out.`);
  }
  const visibility = input.visibility ?? known.visibility;
  const changes: AgentChanges = {
    ...summaryFieldsOf(version),
    visibility,
    everPublic: known.everPublic || visibility === 'public',
    updatedAt: ctx.now,
  };
  if (known.status === 'withdrawn') changes.status = 'active';
  if (input.tags) changes.tags = input.tags;
  if (input.appId !== undefined) changes.appId = input.appId;
  const mayStill = (now: AgentRecord) => void requireMember(user, now, 'developer');
  return changeAgent(known, changes, {
    version,
    audit: agentChanged(ctx, { ...known, change: 'listed' }),
    assertAllowed: mayStill,
  });
}
