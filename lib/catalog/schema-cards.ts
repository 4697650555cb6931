import { z } from 'zod';
import type { SignatureReason } from '../protocol/a2a/cards/card-signatures';
import type { CardDiagnostic } from '../protocol/a2a/cards/diagnostics';
import type { TextEdit } from '../protocol/a2a/cards/quick-fix';

export type { CardDiagnostic } from '../protocol/a2a/cards/diagnostics';

/** A diagnostic with its quick fix; `edits` is null when there is none. */
export type FixableFault = CardDiagnostic & { edits: TextEdit[] | null };

/** The verification result of the card's signatures when it was fetched. */
export type SignatureVerdict =
  | { state: 'unsigned' }
  /** `keyThumbprint` follows RFC 7638 and does not depend on `kid`. */
  | { state: 'verified'; alg: string; kid: string; keyThumbprint: string }
  | { state: 'unverified'; reason: SignatureReason };

/** The refresh state of a listed card. Times are ISO 8601. */
export interface CardState {
  checkedAt: string;
  /** Set while the card cannot be fetched or read. The listed card stays. */
  failing: { since: string; reason: string } | null;
  /** A newer card that awaits approval by `POST /api/agents/{slug}/card/accept` with its digest. */
  waiting: { digest: string; fetchedAt: string; reasons: CardChange[] } | null;
}

/** Why a newer card requires approval. */
export type CardChange =
  | { what: 'asked' }
  | { what: 'host'; found: string[]; expected: string[] }
  | { what: 'key'; found: SignatureVerdict };

/** A changed member of a card; null where it has no value. */
export interface CardDifference {
  /** Dotted: `description`, `capabilities.streaming`, `skills.translate`. */
  member: string;
  before: string | null;
  after: string | null;
}

/** A listed version of a card, and its differences from the one before; null for the oldest stored one. */
export interface CardVersionView {
  version: string;
  /** SHA-256 of its bytes, hex. */
  digest: string;
  listedAt: string;
  differences: CardDifference[] | null;
  /** Number of further differences. */
  more: number;
}

/** The card that awaits approval, compared with the listed one. */
export type PendingCard = NonNullable<CardState['waiting']> & { differences: CardDifference[] };

/** Body of `POST /api/agents/{slug}/card/accept`: the digest of the pending card. */
export const cardDecisionSchema = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });

/** Body of `POST /api/agents/{slug}/refresh`; with the `etag` of an earlier response, that card is listed. */
export const refreshInputSchema = z.strictObject({
  etag: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** The card that an agent serves now, compared with the listed one. */
export interface CardRefresh {
  changed: boolean;
  diff: CardDifference[];
  /** Why it requires approval. */
  reasons: CardChange[];
  etag: string;
}
