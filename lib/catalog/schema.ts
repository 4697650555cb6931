import { z } from 'zod';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import type { CardFault } from '../protocol/a2a/cards/fault';

/** Who may find and call an agent: everyone, everyone who knows the slug, or its owner alone. */
export const visibilitySchema = z.enum(['public', 'unlisted', 'private']);
export type Visibility = z.infer<typeof visibilitySchema>;

export const agentStatusSchema = z.enum(['active', 'deprecated', 'suspended', 'withdrawn']);
export type AgentStatus = z.infer<typeof agentStatusSchema>;

/** What a card promises, derived from the card alone: it asks for a token, takes payments, streams, pushes. */
export type Badge = 'authenticated' | 'payments' | 'streaming' | 'push-notifications';

/** One agent as lists show it; the wire object of `GET /api/agents`. Times are ISO 8601. */
export interface AgentSummary {
  slug: string;
  name: string;
  description: string;
  version: string;
  tags: string[];
  visibility: Visibility;
  status: AgentStatus;
  badges: Badge[];
  url: string;
  cardUrl: string;
  updatedAt: string;
}

export interface SkillView {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
}

/** A security scheme of the agent's own card, in words a person can read. */
export interface SecuritySchemeView {
  name: string;
  type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  summary: string;
  scopes: string[];
}

/** Everything the agent page shows. Derived from the newest version of the card and the listing. */
export interface AgentDetail extends AgentSummary {
  publisher: { name: string; listings: number };
  provider: { organization: string; url: string } | null;
  documentationUrl: string | null;
  protocolVersion: '0.3' | '1.0';
  skills: SkillView[];
  inputModes: string[];
  outputModes: string[];
  securitySchemes: SecuritySchemeView[];
  extensions: { uri: string; description: string; required: boolean }[];
  /** True when the owner linked a developer app, so that the agent can ask who is calling. */
  canIdentifyCallers: boolean;
  /** The card as Parley re-issues it, pretty-printed JSON. */
  cardJson: string;
  createdAt: string;
}

export type { CardFault } from '../protocol/a2a/cards/fault';

/** Longest card text that is read, bytes. */
export const MAX_CARD_BYTES = 1_048_576;
const MAX_TAGS = 20;

const url = z.string().trim().min(1, 'expected the address of an agent or of its card').max(2000);
const tagLength = 'expected tags of 1 to 40 characters';
const tags = z
  .array(z.string().transform(normaliseTag).pipe(z.string().min(1, tagLength).max(40, tagLength)))
  .max(MAX_TAGS, `expected at most ${MAX_TAGS} tags`)
  .transform((list) => [...new Set(list)]);
const appId = z.string().min(1).max(60).nullable();

/** Body of `POST /api/agents/preview`. */
export const previewInputSchema = z.strictObject({ url });
export type PreviewInput = z.infer<typeof previewInputSchema>;

/** Body of `POST /api/agents`. What is left out keeps its value when the same owner registers the same URL again. */
export const registerInputSchema = z.strictObject({
  url,
  slug: z.string().optional(),
  tags: tags.optional(),
  visibility: visibilitySchema.optional(),
  appId: appId.optional(),
  /** Agrees that calls go to another origin than the one the card came from. */
  confirmOrigin: z.boolean().optional(),
});
export type RegisterInput = z.infer<typeof registerInputSchema>;

/** Body of `PATCH /api/agents/{slug}`. */
export const updateInputSchema = z.strictObject({
  tags: tags.optional(),
  visibility: visibilitySchema.optional(),
  status: z.enum(['active', 'deprecated']).optional(),
  appId: appId.optional(),
});
export type UpdateInput = z.infer<typeof updateInputSchema>;

/** A tag as it is kept and searched: lower case, single spaces, nothing invisible. */
export function normaliseTag(tag: string): string {
  return cleanLine(tag).toLowerCase();
}

/** What registering a URL would do; nothing is stored. `card` is null when `faults` is not empty. */
export interface AgentPreview {
  cardUrl: string;
  card: PreviewedCard | null;
  faults: CardFault[];
  warnings: CardFault[];
  /** The slug the agent would get, or has when it is listed already. */
  slug: string | null;
  /** True when the address is listed by the same owner: registering it again updates it. */
  isListed: boolean;
  /** Set when calls would go to another origin than the card came from; registering then needs `confirmOrigin`. */
  otherOrigin: { found: string; expected: string } | null;
}

export interface PreviewedCard {
  name: string;
  description: string;
  version: string;
  protocolVersion: '0.3' | '1.0';
  /** Where calls would go. */
  endpointUrl: string;
  badges: Badge[];
  tags: string[];
  skills: SkillView[];
}

/** A listing as its owner sees it. */
export interface OwnAgent extends AgentSummary {
  id: string;
  /** The address that was registered. */
  registeredUrl: string;
  /** The developer app whose credentials may introspect this agent's tokens. */
  appId: string | null;
  createdAt: string;
}
