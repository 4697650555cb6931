import { authorize } from '../../identity';
import { consume } from '../../limits';
import { agentChanged } from '../../observability';
import type { Ctx, UserActor } from '../../platform/context';
import type { Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import type { CardDiagnostic } from '../../protocol/a2a/cards/diagnostics';
import type { CardReading } from '../../protocol/a2a/cards/read-card';
import type { JsonObject } from '../../protocol/json';
import { hasRole, requireMember } from '../authorization';
import { locateCard } from '../cards/card-location';
import { summaryFieldsOf, tagsOfSkills, toCardVersion } from '../cards/card-version';
import { type CheckedCard, checkCard, otherOriginOf } from '../cards/check-card';
import { findCard } from '../cards/find-card';
import type { McpAuthorization } from '../cards/mcp-card';
import { checkHubCard } from '../cards/offered-card';
import { appNotOwned, cardInvalid, originNotConfirmed, slugRefused, slugTaken, urlTaken } from '../errors';
import { MAX_REGISTRATION_ATTEMPTS } from '../limits';
import { freeSlug, slugFault, slugOf } from '../names/folded-text';
import { REGISTRATION_LIMIT } from '../rate-limits';
import { type AgentRecord, type CardVersion, hubUrlOf } from '../record';
import type { AgentView } from '../schema';
import type { RegisterInput } from '../schema-registration';
import { selectAgentByUrl } from '../store/agent-rows';
import { type AgentChanges, changeAgent, insertAgent, type NewAgent, selectSlugsLike } from '../store/change-agent';
import { ensurePublisher } from '../store/publisher-rows';
import { checkCredential, credentialWriter, setAgentCredential } from './agent-credential';
import { toView, withWarnings } from './agent-views';
import { findAgentById } from './find-agent';
import { presentCredential } from './present-credential';

/** Checks that a developer app belongs to a user. Passed as a parameter, because apps belong to a higher domain. */
export type OwnsApp = (input: { userId: string; appId: string }) => Promise<boolean>;

/**
 * Lists the agent at a URL, or updates the existing listing of the same owner. A withdrawn listing becomes active
 * again. A credential is stored with the listing, or not at all.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `invalid_request` for slug and app,
 *   `url_refused`, `card_unreachable`, `card_invalid` with `faults`, `confirm_origin`, `agent_url_taken`, `conflict`
 */
export async function registerAgent({
  ctx,
  input,
  ownsApp,
  keepsListed = false,
}: {
  ctx: Ctx;
  input: RegisterInput;
  ownsApp: OwnsApp;
  /** True to leave an existing listing of the user unchanged, unless it is withdrawn. */
  keepsListed?: boolean;
}): Promise<{ agent: AgentView; created: boolean; changed: boolean }> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  await requireOwnApp(user, input.appId, ownsApp);
  const slugError = input.slug === undefined ? null : slugFault(input.slug);
  if (slugError !== null) throw slugRefused(slugError);
  checkCredential(input.credential);
  const { url, version, warnings } = await (input.hub ? readHubCard(ctx, user, input) : fetchByUrl(ctx, user, input));
  const listing = { ctx, user, input, url, version, keepsListed };
  for (let attempt = 1; ; attempt++) {
    const listed = await tryList(listing);
    if (listed) return { ...listed, agent: withWarnings(toView(listed.agent, null), warnings) };
    if (attempt === MAX_REGISTRATION_ATTEMPTS) throw slugTaken(input.slug ?? slugOf(version.card.name));
  }
}

/** A card to list, and the URL under which to list it. */
interface ListableCard {
  url: string;
  version: CardVersion;
  warnings: CardDiagnostic[];
}

async function fetchByUrl(ctx: Ctx, user: UserActor, input: RegisterInput): Promise<ListableCard> {
  locateCard(input.url ?? '');
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const authorization = (): Promise<McpAuthorization> => presentCredential(input.credential, { now: ctx.now });
  const fetched = await findCard(input.url ?? '', { signal: ctx.signal, authorization });
  const existing = await selectAgentByUrl(fetched.listedUrl);
  if (existing && !mayRelist(user, existing)) throw urlTaken();
  const checked = await checkCard(fetched, ctx);
  const { card, warnings } = requireListable(checked, { input, existing });
  return { url: fetched.listedUrl, version: toCardVersion(checked, card, ctx.now), warnings };
}

/** Checks the card in the request of an agent that connects to Parley and has no card to fetch. */
async function readHubCard(ctx: Ctx, user: UserActor, { slug = '', card }: RegisterInput): Promise<ListableCard> {
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const url = hubUrlOf(slug);
  const existing = await selectAgentByUrl(url);
  if (existing && !mayRelist(user, existing)) throw slugTaken(slug);
  const checked = checkHubCard(slug, card as JsonObject | undefined);
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  const { reading } = checked;
  return { url, version: toCardVersion(checked, reading.card, ctx.now), warnings: reading.warnings };
}

/** Returns true if the user may relist the agent. Only the owner may relist a withdrawn agent. */
function mayRelist(user: UserActor, existing: AgentRecord): boolean {
  return hasRole(user, existing, existing.status === 'withdrawn' ? 'owner' : 'developer');
}

/**
 * Requires that the app belongs to the user.
 * @throws {ParleyError} `invalid_request` if it does not
 */
export async function requireOwnApp(
  user: UserActor,
  appId: string | null | undefined,
  ownsApp: OwnsApp,
): Promise<void> {
  if (appId && !(await ownsApp({ userId: user.userId, appId }))) throw appNotOwned();
}

type ValidReading = Extract<CardReading, { ok: true }>;

function requireListable(
  checked: CheckedCard,
  { input, existing }: { input: RegisterInput; existing: AgentRecord | null },
): ValidReading {
  if (!checked.reading.ok) throw cardInvalid(checked.reading.faults);
  // The owner has confirmed the origins of an existing listing.
  const allowedOrigins = existing?.endpoints.map(({ url }) => new URL(url).origin);
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
  keepsListed: boolean;
}

interface Listed {
  agent: AgentRecord;
  created: boolean;
  changed: boolean;
}

/** Returns null if a concurrent registration took the slug or the URL. The next attempt then reads its result. */
async function tryList(listing: Listing): Promise<Listed | null> {
  const existing = await selectAgentByUrl(listing.url);
  if (existing && !mayRelist(listing.user, existing)) throw urlTaken();
  const { ctx, input } = listing;
  if (existing && listing.keepsListed && existing.status !== 'withdrawn') {
    const { credential } = input;
    if (credential) await setAgentCredential({ ctx, input: { slug: existing.slug, credential } });
    return { agent: existing, created: false, changed: false };
  }
  if (existing) return { agent: await relist(existing, listing), created: false, changed: true };
  const slug = await chooseSlug(input.slug, listing.version.card.name);
  if (slug === null) return null;
  const agent = draftOf(slug, listing);
  const audit = agentChanged(ctx, { ...agent, change: 'listed' });
  const write = credentialWriter(ctx, input.credential);
  const afterInsert = (tx: Tx): Promise<void> => write(tx, agent);
  if (!(await insertAgent(agent, { version: listing.version, audit, afterInsert }))) return null;
  await ensurePublisher(listing.user.userId, slugOf(listing.user.name), ctx.now);
  const inserted = await findAgentById(agent.id);
  return inserted ? { agent: inserted, created: true, changed: true } : null;
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
    tags: input.tags ?? tagsOfSkills(version.card),
    visibility,
    status: 'active',
    everPublic: visibility === 'public',
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** Returns a free slug; null if the requested one is taken, possibly by a concurrent registration of this URL. */
async function chooseSlug(requested: string | undefined, name: string): Promise<string | null> {
  const slug = requested ?? slugOf(name);
  const taken = await selectSlugsLike(slug);
  return requested !== undefined && taken.has(requested) ? null : freeSlug(slug, taken);
}

async function relist(existing: AgentRecord, { ctx, user, input, version }: Listing): Promise<AgentRecord> {
  if (input.slug !== undefined && input.slug !== existing.slug) {
    throw slugRefused(`This URL is already listed as "${existing.slug}", and slugs cannot change. Omit "slug".`);
  }
  const visibility = input.visibility ?? existing.visibility;
  const changes: AgentChanges = {
    ...summaryFieldsOf(version),
    visibility,
    everPublic: existing.everPublic || visibility === 'public',
    updatedAt: ctx.now,
  };
  if (existing.status === 'withdrawn') changes.status = 'active';
  if (input.tags) changes.tags = input.tags;
  if (input.appId !== undefined) changes.appId = input.appId;
  const write = credentialWriter(ctx, input.credential);
  return changeAgent(existing, changes, {
    version,
    afterUpdate: (tx) => write(tx, existing),
    audit: agentChanged(ctx, { ...existing, change: 'listed' }),
    assertAllowed: (current) => void requireMember(user, current, 'developer'),
  });
}
