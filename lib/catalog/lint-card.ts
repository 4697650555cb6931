import { consume, type TokenBucketRule } from '../limits';
import type { Ctx } from '../platform/context';
import { decodeUtf8 } from '../protocol/a2a/cards/decode-utf8';
import type { CardDiagnostic } from '../protocol/a2a/cards/diagnostics';
import { quickFix } from '../protocol/a2a/cards/quick-fix';
import { readCard } from '../protocol/a2a/cards/read-card';
import { locateCard } from './card-location';
import { refusalOf } from './check-card';
import { requireUser } from './policy';
import type { FixableFault } from './schema';
import type { CardLint, LintInput } from './schema-card-updates';
import { toPreviewedCard } from './to-previewed-card';

/** An editor asks while somebody types. */
const LINT_LIMIT: TokenBucketRule = {
  name: 'checks of cards',
  burst: 300,
  perMinute: 240,
  onDatabaseDown: 'count-here',
};

/**
 * Reads the text of a card by the same rules as registering it does, and says where it can be mended without asking anybody.
 * Nothing is fetched or stored; whether a signature holds is found when the card is served.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `url_refused`
 */
export async function lintCard({ ctx, input }: { ctx: Ctx; input: LintInput }): Promise<CardLint> {
  const user = requireUser(ctx.actor, 'agents:read');
  const candidates = input.url ? locateCard(input.url) : [];
  await consume(LINT_LIMIT, user.userId, ctx.now);
  const candidate = candidates.find(({ isGuess }) => !isGuess);
  const cardUrl = candidate?.cardUrl ?? 'https://agent.example/.well-known/agent-card.json';
  const context = { cardUrl, assumedEndpoint: candidate?.assumedEndpoint ?? null, refusalOf };
  const reading = readCard(Buffer.from(input.card), context);
  // Without an address there is no origin that the card comes from.
  const warnings = candidate
    ? reading.warnings
    : reading.warnings.filter(({ rule }) => rule !== 'endpoint.other-origin');
  return {
    card: reading.ok ? toPreviewedCard(reading, { state: 'unsigned' }) : null,
    faults: reading.ok ? [] : withFixes(input.card, reading.faults),
    warnings: withFixes(input.card, warnings),
  };
}

/** The card's text as an editor shows it, when it is text at all. */
export function sourceOf(bytes: Uint8Array): string | null {
  const decoded = decodeUtf8(bytes);
  return 'text' in decoded ? decoded.text : null;
}

/** The faults, with how each can be mended in this text. */
export function withFixes(text: string | null, faults: CardDiagnostic[]): FixableFault[] {
  return faults.map((fault) => ({ ...fault, edits: text === null ? null : quickFix(text, fault) }));
}
