import { z } from 'zod';
import { agentName } from '../platform/schema';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import {
  MAX_CALL_TIMEOUT_SECONDS,
  MAX_CARD_BYTES,
  MAX_CONCURRENT_TASKS,
  MAX_GUEST_TURNS_PER_DAY,
  MAX_ID_LENGTH,
  MAX_NOTICE_LENGTH,
  MAX_QUEUE_SECONDS,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_URL_LENGTH,
} from './limits';
import { badges, credentialInputSchema, skillSchema, visibilitySchema } from './schema';
import { fixableFaultSchema } from './schema-cards';
import { pricePlansSchema, pricesSchema } from './schema-prices';

/** The URL of an agent or of its card. */
export const agentUrlSchema = z
  .string()
  .trim()
  .min(1, 'expected the URL of an agent or of its card')
  .max(MAX_URL_LENGTH);
const tagLength = `expected tags of 1 to ${MAX_TAG_LENGTH} characters`;
/** Tags of a listing. */
export const tagsSchema = z
  .array(z.string().transform(normalizeTag).pipe(z.string().min(1, tagLength).max(MAX_TAG_LENGTH, tagLength)))
  .max(MAX_TAGS, `expected at most ${MAX_TAGS} tags`)
  .transform((list) => [...new Set(list)]);
const appId = z.string().min(1).max(MAX_ID_LENGTH).nullable();

const cardSchema = z.record(z.string(), z.unknown());
const hubOrUrl = 'expected the URL of an agent or of its card, or "hub": true';

/**
 * Body of `POST /api/agents`: `url`, or `hub` for an agent that connects to Parley. Omitted members keep their values
 * when the owner registers the same agent again.
 */
export const registerInputSchema = z
  .strictObject({
    url: agentUrlSchema.optional(),
    hub: z.literal(true).optional(),
    /** The card of an agent that connects to Parley. Its URL is Parley's. */
    card: cardSchema.optional(),
    slug: z.string().optional(),
    tags: tagsSchema.optional(),
    visibility: visibilitySchema.optional(),
    appId: appId.optional(),
    /** The credential that Parley presents to the agent. It is stored, and used to read the tools of an MCP server. */
    credential: credentialInputSchema.optional(),
    /** Confirms that calls may go to an origin other than the card's. */
    confirmOrigin: z.boolean().optional(),
  })
  .refine(({ url, hub }) => (url === undefined) !== (hub === undefined), { path: ['url'], error: hubOrUrl })
  .refine(({ hub, slug }) => !hub || slug !== undefined, {
    path: ['slug'],
    error: 'expected the name that the agent connects with',
  })
  .refine(({ hub, credential }) => !hub || credential === undefined, {
    path: ['credential'],
    error: 'expected only with "url"',
  })
  .refine(({ hub, card }) => hub || card === undefined, { path: ['card'], error: 'expected only with "hub": true' });
export type RegisterInput = z.infer<typeof registerInputSchema>;

/** Limits of calls to an agent, set by its owner. */
const callLimitsSchema = z.strictObject({
  /** Concurrent tasks of all callers. */
  maxConcurrent: z.int().min(1).max(MAX_CONCURRENT_TASKS).optional(),
  /** Timeout of a whole response, and of the next event of a stream, seconds. */
  unaryTimeoutSeconds: z.int().min(1).max(MAX_CALL_TIMEOUT_SECONDS).optional(),
  silenceTimeoutSeconds: z.int().min(1).max(MAX_CALL_TIMEOUT_SECONDS).optional(),
  /** Maximum time that tasks of an agent that connects to Parley wait for a worker. */
  queueSeconds: z.int().min(0).max(MAX_QUEUE_SECONDS).optional(),
  /** Maximum messages of all visitors without an account in 24 hours. By default 0: the agent is not open to them. */
  guestTurnsPerDay: z.int().min(0).max(MAX_GUEST_TURNS_PER_DAY).optional(),
});
export type OwnCallLimits = z.infer<typeof callLimitsSchema>;

const noticeInputSchema = z
  .strictObject({
    kind: z.enum(['note', 'maintenance', 'deprecated']),
    text: z
      .string()
      .transform(cleanLine)
      .pipe(z.string().max(MAX_NOTICE_LENGTH, `expected at most ${MAX_NOTICE_LENGTH} characters`)),
    /** The slug of the agent to use instead. */
    replacement: z
      .string()
      .regex(/^[a-z0-9-]{1,60}$/, 'expected the slug of an agent')
      .optional(),
  })
  .refine(({ text, replacement }) => text !== '' || replacement !== undefined, {
    path: ['text'],
    message: 'expected the text of the notice',
  });

/** Body of `PATCH /api/agents/{slug}`. */
export const updateInputSchema = z.strictObject({
  tags: tagsSchema.optional(),
  visibility: visibilitySchema.optional(),
  status: z.enum(['active', 'deprecated']).optional(),
  /** Replaces all limits; `{}` restores the defaults. */
  callLimits: callLimitsSchema.optional(),
  appId: appId.optional(),
  /** Replaces all prices. */
  prices: pricesSchema.optional(),
  /** Replaces the price plans. A charge that was authorized keeps the plan of its authorization. */
  pricePlans: pricePlansSchema.optional(),
  /** The notice on the agent's page; null removes it. */
  notice: noticeInputSchema.nullable().optional(),
  /** True if every changed card requires approval. */
  holdsCards: z.boolean().optional(),
  /** The new card of an agent that connects to Parley. It is listed immediately. */
  card: cardSchema.optional(),
});
export type UpdateInput = z.infer<typeof updateInputSchema>;

/** Normalizes a tag as it is stored and searched: lower case, single spaces, no invisible characters. */
export function normalizeTag(tag: string): string {
  return cleanLine(tag).toLowerCase();
}

/** Body of `POST /api/agents/preview`. */
export const previewInputSchema = z.strictObject({ url: agentUrlSchema });
export type PreviewInput = z.infer<typeof previewInputSchema>;

/** A valid card before it is listed. */
export const previewedCardSchema = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  protocolVersion: z.enum(['0.1', '0.3', '1.0', '1.1']),
  binding: z.enum(['JSONRPC', 'HTTP+JSON', 'GRPC', 'MCP']),
  endpointUrl: z.string().describe('The URL that calls would be sent to'),
  badges: z.array(z.enum(badges)),
  tags: z.array(z.string()),
  skills: z.array(skillSchema),
});
export type PreviewedCard = z.infer<typeof previewedCardSchema>;

/** The result that the registration of a URL would have. `card` is null if `faults` is not empty. */
export const agentPreviewSchema = z.object({
  cardUrl: z.string(),
  card: previewedCardSchema.nullable(),
  faults: z.array(fixableFaultSchema),
  warnings: z.array(fixableFaultSchema),
  /** The card's text for an editor; null if the card is valid or not UTF-8. */
  source: z.string().nullable().describe('The text of the card, if it has errors'),
  /** The slug that the agent would receive, or has. */
  slug: z.string().nullable(),
  /** A verified agent that it resembles. The agent may be listed regardless. */
  looksLike: agentName.nullable().describe('A similar agent of another owner who is verified'),
  /** The existing listing of the same owner. */
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

/** The diagnostics of a card's text. `card` is null if `faults` is not empty. */
export const cardLintSchema = z.object({
  card: previewedCardSchema.nullable(),
  faults: z.array(fixableFaultSchema),
  warnings: z.array(fixableFaultSchema),
});
export type CardLint = z.infer<typeof cardLintSchema>;
