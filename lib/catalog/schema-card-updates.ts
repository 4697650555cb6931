import { z } from 'zod';
import {
  type CardChange,
  type CardDifference,
  type FixableFault,
  MAX_CARD_BYTES,
  type PreviewedCard,
  previewInputSchema,
} from './schema';

/** Body of `POST /api/cards/lint`: the text of a card, and where it will be served. */
export const lintInputSchema = z.strictObject({
  card: z.string().max(MAX_CARD_BYTES, 'expected at most 1 MB of text'),
  url: previewInputSchema.shape.url.optional(),
});
export type LintInput = z.infer<typeof lintInputSchema>;

/** What is wrong with the text of a card. `card` is null when `faults` is not empty. */
export interface CardLint {
  card: PreviewedCard | null;
  faults: FixableFault[];
  warnings: FixableFault[];
}

/** Body of `POST /api/agents/{slug}/refresh`: the `etag` that was answered before, to let that card go live. */
export const refreshInputSchema = z.strictObject({
  etag: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** The card that an agent serves now, beside the listed one. */
export interface CardRefresh {
  changed: boolean;
  diff: CardDifference[];
  /** Why it would not go live by itself. */
  reasons: CardChange[];
  etag: string;
}
