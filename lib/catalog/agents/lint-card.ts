import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import { quickFix } from '../../protocol/a2a/cards/quick-fix';
import { readCard } from '../../protocol/a2a/cards/read-card';
import { decodeUtf8 } from '../../protocol/a2a/cards/read-json';
import { hasRole } from '../authorization';
import { locateCard } from '../cards/card-location';
import { checkCard, otherOriginOf, refusalOf } from '../cards/check-card';
import { findCard } from '../cards/find-card';
import type { McpAuthorization } from '../cards/mcp-card';
import { urlTaken } from '../errors';
import { freeSlug, slugOf } from '../names/folded-text';
import { LINT_LIMIT, REGISTRATION_LIMIT } from '../rate-limits';
import type { CardDiagnostic, FixableFault } from '../schema-cards';
import type { AgentPreview, CardLint, LintInput, PreviewInput } from '../schema-registration';
import { selectAgentByUrl } from '../store/agent-rows';
import { selectSlugsLike } from '../store/change-agent';
import { findLookalike } from '../store/skeletons';
import { toPreviewedCard } from './agent-views';
import { presentCredential } from './present-credential';

/**
 * Validates a card's text by the rules of registration and returns quick fixes. Fetches and stores nothing, so
 * signatures are not verified.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `url_refused`
 */
export async function lintCard({ ctx, input }: { ctx: Ctx; input: LintInput }): Promise<CardLint> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  const candidates = input.url ? locateCard(input.url) : [];
  await consume(LINT_LIMIT, user.userId, ctx.now);
  const candidate = candidates.find(({ isGuess }) => !isGuess);
  const cardUrl = candidate?.cardUrl ?? 'https://agent.example/.well-known/agent-card.json';
  const context = { cardUrl, assumedEndpoint: candidate?.assumedEndpoint ?? null, refusalOf };
  const reading = readCard(Buffer.from(input.card), context);
  // Without a URL, the card has no origin for the comparison.
  const warnings = candidate
    ? reading.warnings
    : reading.warnings.filter(({ rule }) => rule !== 'endpoint.other-origin');
  return {
    card: reading.ok ? toPreviewedCard(reading, { state: 'unsigned' }) : null,
    faults: reading.ok ? [] : withFixes(input.card, reading.faults),
    warnings: withFixes(input.card, warnings),
  };
}

/**
 * Returns the result that registering a URL would have, with all errors and warnings of its card. Stores nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `url_refused`, `card_unreachable`,
 * `agent_url_taken`
 */
export async function previewAgent({ ctx, input }: { ctx: Ctx; input: PreviewInput }): Promise<AgentPreview> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  locateCard(input.url);
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const authorization = (): Promise<McpAuthorization> => presentCredential(undefined, { now: ctx.now });
  const fetched = await findCard(input.url, { signal: ctx.signal, authorization });
  const existing = await selectAgentByUrl(fetched.listedUrl);
  if (existing && !hasRole(user, existing, 'developer')) throw urlTaken();
  const checked = await checkCard(fetched, ctx);
  const { reading, cardUrl, signature } = checked;
  const slug = existing?.slug ?? (reading.ok ? await nextSlug(reading.card.name) : null);
  const candidate = reading.ok &&
    slug !== null && { id: existing?.id, ownerId: user.userId, name: reading.card.name, slug };
  const source = sourceOf(checked.bytes);
  return {
    cardUrl,
    card: reading.ok ? toPreviewedCard(reading, signature) : null,
    faults: reading.ok ? [] : withFixes(source, reading.faults),
    warnings: withFixes(source, reading.warnings),
    source: reading.ok && reading.warnings.length === 0 ? null : source,
    slug,
    looksLike: candidate ? await findLookalike(candidate) : null,
    isListed: existing !== null && existing.status !== 'withdrawn',
    otherOrigin: otherOriginOf(checked),
  };
}

async function nextSlug(name: string): Promise<string> {
  const slug = slugOf(name);
  return freeSlug(slug, await selectSlugsLike(slug));
}

/** Returns the card's text for an editor, or null if it is not UTF-8. */
function sourceOf(bytes: Uint8Array): string | null {
  const decoded = decodeUtf8(bytes);
  return 'text' in decoded ? decoded.text : null;
}

/** Returns the diagnostics, each with the edits that fix it. */
function withFixes(text: string | null, diagnostics: CardDiagnostic[]): FixableFault[] {
  return diagnostics.map((each) => ({ ...each, edits: text === null ? null : quickFix(text, each) }));
}
