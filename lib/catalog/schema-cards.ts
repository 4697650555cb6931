import { z } from 'zod';
import { time } from '../platform/schema';
import type { SignatureReason } from '../protocol/a2a/cards/card-signatures';
import type { CardDiagnostic, CardRule } from '../protocol/a2a/cards/diagnostics';

export type { CardDiagnostic };

export const cardDiagnosticSchema = z.object({
  line: z.int(),
  column: z.int(),
  pointer: z.string().describe('RFC 6901'),
  rule: z.string() as z.ZodType<CardRule>,
  found: z.string(),
  expected: z.string(),
  fix: z.string(),
}) satisfies z.ZodType<CardDiagnostic>;

/** A diagnostic with its quick fix. `edits` is null if there is none. */
export const fixableFaultSchema = cardDiagnosticSchema.extend({
  edits: z
    .array(z.object({ offset: z.int(), length: z.int(), content: z.string() }))
    .nullable()
    .describe('The edit that fixes it; null if a person must decide'),
});
export type FixableFault = z.infer<typeof fixableFaultSchema>;

/** The verification result of the card's signatures at the time of the fetch. */
export const signatureSchema = z.union([
  z.object({ state: z.literal('unsigned') }),
  z.object({
    state: z.literal('verified'),
    alg: z.string(),
    kid: z.string(),
    /** The thumbprint of the key, which does not depend on `kid`. */
    keyThumbprint: z.string().describe('RFC 7638'),
  }),
  z.object({ state: z.literal('unverified'), reason: z.string() as z.ZodType<SignatureReason> }),
]);
export type SignatureVerdict = z.infer<typeof signatureSchema>;

/** Why a newer card requires approval. */
export const cardChangeSchema = z.union([
  z.object({ what: z.literal('asked') }),
  z.object({ what: z.literal('host'), found: z.array(z.string()), expected: z.array(z.string()) }),
  z.object({ what: z.literal('key'), found: signatureSchema }),
]);
export type CardChange = z.infer<typeof cardChangeSchema>;

/** The refresh state of a listed card. */
export const cardStateSchema = z.object({
  checkedAt: time,
  /** Set while the card cannot be fetched or read. The listed card is kept. */
  failing: z.object({ since: time, reason: z.string() }).nullable(),
  /** A newer card that awaits approval by `POST /api/agents/{slug}/card/accept` with its digest. */
  waiting: z.object({ digest: z.string(), fetchedAt: time, reasons: z.array(cardChangeSchema) }).nullable(),
});
export type CardState = z.infer<typeof cardStateSchema>;

/** A changed member of a card. Its value is null in a card that does not have the member. */
export const cardDifferenceSchema = z.object({
  /** For example `description`, `skills.translate`. */
  member: z.string().describe('Dotted path, such as capabilities.streaming'),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type CardDifference = z.infer<typeof cardDifferenceSchema>;

/** The card that awaits approval, compared with the listed one. */
export type PendingCard = NonNullable<CardState['waiting']> & { differences: CardDifference[] };

/** A listed version of a card; an item of `GET /api/agents/{slug}/cards`. */
export const cardVersionSchema = z.object({
  version: z.string(),
  digest: z.string().describe('SHA-256 of the card, hex'),
  listedAt: time,
  differences: z
    .array(cardDifferenceSchema)
    .nullable()
    .describe('Differences from the previous card; null for the first stored card'),
  more: z.int().describe('Number of further differences'),
});
export type CardVersionView = z.infer<typeof cardVersionSchema>;

/** Body of `POST /api/agents/{slug}/card/accept`: the digest of the pending card. */
export const cardDecisionSchema = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * Body of `POST /api/agents/{slug}/refresh`. With the `etag` of an earlier response, the card with that `etag` is
 * listed.
 */
export const refreshInputSchema = z.strictObject({
  etag: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** The card that an agent serves now, compared with the listed one. */
export const cardRefreshSchema = z.object({
  changed: z.boolean(),
  diff: z.array(cardDifferenceSchema),
  reasons: z.array(cardChangeSchema).describe('Why the card needs review before it is published'),
  etag: z.string().describe('Send it back to publish this card'),
});
export type CardRefresh = z.infer<typeof cardRefreshSchema>;
