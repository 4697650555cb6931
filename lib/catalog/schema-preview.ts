import { z } from 'zod';
import { MAX_CARD_BYTES } from './limits';
import { agentUrlSchema, type Badge, type Lookalike, type SkillView } from './schema';
import type { FixableFault } from './schema-cards';

/** Body of `POST /api/agents/preview`. */
export const previewInputSchema = z.strictObject({ url: agentUrlSchema });
export type PreviewInput = z.infer<typeof previewInputSchema>;

/** What registering a URL would do. `card` is null when `faults` is not empty. */
export interface AgentPreview {
  cardUrl: string;
  card: PreviewedCard | null;
  faults: FixableFault[];
  warnings: FixableFault[];
  /** The card's text for an editor; null when it is valid or not UTF-8. */
  source: string | null;
  /** The slug that the agent would get, or has. */
  slug: string | null;
  /** A verified agent of another owner with which it is confusable. It may be listed anyway. */
  looksLike: Lookalike | null;
  /** True when the URL is listed by the same owner, so that registering it is an update. */
  isListed: boolean;
  /** Set when calls would go to another origin than the card's; registering then requires `confirmOrigin`. */
  otherOrigin: { found: string; expected: string } | null;
}

/** A valid card before it is listed. */
export interface PreviewedCard {
  name: string;
  description: string;
  version: string;
  protocolVersion: '0.1' | '0.3' | '1.0';
  binding: 'JSONRPC' | 'HTTP+JSON';
  /** The URL that Parley would call. */
  endpointUrl: string;
  badges: Badge[];
  tags: string[];
  skills: SkillView[];
}

/** Body of `POST /api/cards/lint`: the text of a card, and the URL that will serve it. */
export const lintInputSchema = z.strictObject({
  card: z.string().max(MAX_CARD_BYTES, 'expected at most 1 MB of text'),
  url: agentUrlSchema.optional(),
});
export type LintInput = z.infer<typeof lintInputSchema>;

/** The diagnostics of a card's text. `card` is null when `faults` is not empty. */
export interface CardLint {
  card: PreviewedCard | null;
  faults: FixableFault[];
  warnings: FixableFault[];
}
