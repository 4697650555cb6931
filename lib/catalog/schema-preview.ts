import { z } from 'zod';
import { agentName } from '../platform/schema';
import { MAX_CARD_BYTES } from './limits';
import { badges, skillSchema } from './schema';
import { fixableFaultSchema } from './schema-cards';
import { agentUrlSchema } from './schema-registration';

/** Body of `POST /api/agents/preview`. */
export const previewInputSchema = z.strictObject({ url: agentUrlSchema });
export type PreviewInput = z.infer<typeof previewInputSchema>;

/** A valid card before it is listed. */
export const previewedCardSchema = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  protocolVersion: z.enum(['0.1', '0.3', '1.0']),
  binding: z.enum(['JSONRPC', 'HTTP+JSON']),
  endpointUrl: z.string().describe('The URL that calls would be sent to'),
  badges: z.array(z.enum(badges)),
  tags: z.array(z.string()),
  skills: z.array(skillSchema),
});
export type PreviewedCard = z.infer<typeof previewedCardSchema>;

/** The result that registering a URL would have. `card` is null when `faults` is not empty. */
export const agentPreviewSchema = z.object({
  cardUrl: z.string(),
  card: previewedCardSchema.nullable(),
  faults: z.array(fixableFaultSchema),
  warnings: z.array(fixableFaultSchema),
  /** For an editor; null when the card is valid or not UTF-8. */
  source: z.string().nullable().describe('The text of the card, if it has errors'),
  /** The slug that the agent would receive, or has. */
  slug: z.string().nullable(),
  /** The verified agent that it resembles. It may be listed anyway. */
  looksLike: agentName.nullable().describe('A similar agent of another owner who is verified'),
  /** The existing listing by the same owner. */
  isListed: z.boolean().describe('The existing listing, which registering again updates'),
  otherOrigin: z
    .object({ found: z.string(), expected: z.string() })
    .nullable()
    .describe('Calls would go to a different origin: registering requires `confirmOrigin`'),
});
export type AgentPreview = z.infer<typeof agentPreviewSchema>;

/** Body of `POST /api/cards/lint`: the text of a card, and the URL that will serve it. */
export const lintInputSchema = z.strictObject({
  card: z.string().max(MAX_CARD_BYTES, 'expected at most 1 MB of text'),
  url: agentUrlSchema.optional(),
});
export type LintInput = z.infer<typeof lintInputSchema>;

/** The diagnostics of a card's text. `card` is null when `faults` is not empty. */
export const cardLintSchema = z.object({
  card: previewedCardSchema.nullable(),
  faults: z.array(fixableFaultSchema),
  warnings: z.array(fixableFaultSchema),
});
export type CardLint = z.infer<typeof cardLintSchema>;
