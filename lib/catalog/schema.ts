import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_SCOPE_LENGTH, MAX_SECRET_LENGTH, MAX_URL_LENGTH } from './limits';
import { cardDiagnosticSchema, cardStateSchema, signatureSchema } from './schema-cards';
import { pricePlanSchema, priceSummarySchema, skillPriceSchema } from './schema-prices';

const secret = z
  .string()
  .max(MAX_SECRET_LENGTH, `expected at most ${MAX_SECRET_LENGTH} characters`)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'expected printable ASCII without spaces around it');
/** Headers that HTTP, A2A or Parley uses. */
export const reservedHeaders =
  /^(host|connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding|content-.*|accept.*|cookie|via|user-agent|forwarded|x-forwarded-.*|proxy-.*|a2a-.*|x-a2a-.*|parley-.*|trace(parent|state)|idempotency-key)$/i;

/** Body of `PUT /api/agents/{slug}/credentials`: the credential with which Parley authenticates to an agent. */
export const credentialInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bearer'), token: secret }),
  z
    .strictObject({
      kind: z.literal('api-key'),
      in: z.enum(['header', 'query']),
      name: z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/, 'expected 1 to 80 letters, digits, "-", "_" or "."'),
      value: secret,
    })
    .refine((key) => key.in === 'query' || !reservedHeaders.test(key.name), {
      path: ['name'],
      message: 'expected a header that HTTP and A2A do not use otherwise, such as X-API-Key',
    }),
  z.strictObject({
    kind: z.literal('oauth-client-credentials'),
    tokenUrl: z.url('expected an absolute https URL').max(MAX_URL_LENGTH),
    clientId: secret,
    clientSecret: secret,
    scope: z
      .string()
      .max(MAX_SCOPE_LENGTH)
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'expected scopes separated by single spaces')
      .optional(),
    /** The server for which the token is issued (RFC 8707), if the token endpoint requires it, as those of MCP servers do. */
    resource: z.url('expected an absolute URL').max(MAX_URL_LENGTH).optional(),
    /**
     * The method by which the client id and secret are sent: HTTP Basic (default), or in the form (RFC 6749 §2.3.1).
     */
    clientAuth: z.enum(['basic', 'body']).optional(),
  }),
]);
export type CredentialInput = z.infer<typeof credentialInputSchema>;

/** A stored credential without its secret. */
export const credentialSchema = z.object({
  kind: z.enum(['bearer', 'api-key', 'oauth-client-credentials']),
  setAt: time,
});
export type CredentialView = z.infer<typeof credentialSchema>;

/** The users who may find and call an agent: everyone, everyone who knows the slug, or its team. */
export const visibilitySchema = z.enum(['public', 'unlisted', 'private']);
export type Visibility = z.infer<typeof visibilitySchema>;

export const agentStatusSchema = z.enum(['active', 'deprecated', 'suspended', 'withdrawn']);
export type AgentStatus = z.infer<typeof agentStatusSchema>;

/** Returns true if the agent's status permits calls. Permission to call it also depends on its visibility. */
export function isCallable(status: AgentStatus): boolean {
  return status === 'active' || status === 'deprecated';
}

/**
 * Roles in an agent's team, ascending. A viewer reads the agent's log and settings, a developer also changes the
 * settings, and the owner also manages the team, withdrawal and payments.
 */
export const teamRoles = ['viewer', 'developer', 'owner'] as const;
export type TeamRole = (typeof teamRoles)[number];
/** Roles that an invitation can grant. An agent has exactly one owner. */
export const memberRoleSchema = z.enum(['viewer', 'developer']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/**
 * Properties that the card declares, and two others: `signed` (a signature was verified) and `verified` (the owner has
 * proved control of the host).
 */
export const badges = ['authenticated', 'payments', 'streaming', 'push-notifications', 'signed', 'verified'] as const;
export type Badge = (typeof badges)[number];

/**
 * `url`: Parley calls the agent at its own URL. `hub`: its workers connect to Parley. `built-in`: it runs in Parley.
 */
const connectionSchema = z.enum(['url', 'hub', 'built-in']);

/** The presence of an agent that connects to Parley: `online` if a worker is connected. */
export const presenceSchema = z.object({
  online: z.boolean(),
  workers: z.int().describe('Number of connected workers that accept new tasks'),
  connectedAt: time.nullable().describe('When a worker last connected; null if none ever has'),
});
export type PresenceView = z.infer<typeof presenceSchema>;

/** An agent's name and icon, for lists of several agents. */
export const agentMarkSchema = z.object({ slug: z.string(), name: z.string(), iconUrl: z.string().nullable() });

/** The members that an agent has in every response. */
export const agentSummarySchema = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  tags: z.array(z.string()),
  visibility: visibilitySchema,
  status: agentStatusSchema,
  badges: z.array(z.enum(badges)),
  connection: connectionSchema,
  url: z.string(),
  cardUrl: z.string().describe("The URL for SDKs: createFromUrl(cardUrl, '')"),
  /** The icon as Parley serves it; null if the card specifies none that can be displayed. */
  iconUrl: z.string().nullable(),
  price: priceSummarySchema,
  updatedAt: time,
});
export type AgentSummary = z.infer<typeof agentSummarySchema>;

/** A message of the team on the agent's page. */
export const noticeSchema = z.object({
  kind: z.enum(['note', 'maintenance', 'deprecated']),
  text: z.string(),
  replacement: z.string().optional().describe('The slug of the replacement agent'),
});
export type Notice = z.infer<typeof noticeSchema>;

/** A skill of the agent's card. */
export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  examples: z.array(z.string()),
  inputModes: z.array(z.string()),
  outputModes: z.array(z.string()),
  /** The price of one use that the team declared, or null. */
  price: skillPriceSchema.nullable(),
});
export type SkillView = z.infer<typeof skillSchema>;

/** A security scheme of the agent's own card, summarized for display. */
export interface SecuritySchemeView {
  name: string;
  type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  summary: string;
  scopes: string[];
}

/** The public fields of an agent, with additional fields for its team. */
export const agentViewSchema = agentSummarySchema.extend({
  signature: signatureSchema,
  prices: z.array(skillPriceSchema),
  pricePlans: z.array(pricePlanSchema).describe('The prices that Parley charges, at most one per currency'),
  notice: noticeSchema.nullable(),
  presence: presenceSchema
    .nullable()
    .optional()
    .describe('Null for an agent with its own URL; omitted in responses to a card change'),
  card: cardStateSchema.optional().describe('How the card is kept up to date; only for the owner'),
  warnings: z
    .array(cardDiagnosticSchema)
    .optional()
    .describe('Where the card violates the specification; only for the owner, omitted if there are no violations'),
});
export type AgentView = z.infer<typeof agentViewSchema>;

/** Response of `GET /api/agents/{slug}`. The agent's team also receives its settings. */
export const agentResponseSchema = z.union([
  agentViewSchema.extend({
    callLimits: z.object({
      maxConcurrent: z.int().optional(),
      unaryTimeoutSeconds: z.int().optional(),
      silenceTimeoutSeconds: z.int().optional(),
      queueSeconds: z.int().optional(),
      guestTurnsPerDay: z.int().optional(),
    }),
    credential: credentialSchema.nullable(),
  }),
  agentViewSchema,
]);
export type AgentResponse = z.infer<typeof agentResponseSchema>;

/** The verified agent of another owner with which an agent is confusable. */
export interface Lookalike {
  slug: string;
  name: string;
}

/** The content of the agent's page. */
export interface AgentDetail extends AgentSummary {
  /** `handle` is null if the account was deleted. */
  publisher: { name: string; handle: string | null; listings: number };
  looksLike: Lookalike | null;
  provider: { organization: string; url: string } | null;
  documentationUrl: string | null;
  protocolVersion: '0.1' | '0.3' | '1.0' | '1.1';
  skills: SkillView[];
  inputModes: string[];
  outputModes: string[];
  securitySchemes: SecuritySchemeView[];
  /** `unsupported` means that the extension is required, but Parley's chat and clients cannot activate it. */
  extensions: { uri: string; description: string; required: boolean; unsupported: boolean }[];
  /** True if a developer app is linked, so that the agent can introspect callers' tokens. */
  canIdentifyCallers: boolean;
  /** True if visitors without an account can send messages. */
  isOpenToGuests: boolean;
  notice: Notice | null;
  /** The published card, pretty-printed JSON. */
  cardJson: string;
  createdAt: string;
}

/** A listing with the fields for its team. */
export interface OwnAgent extends AgentSummary {
  id: string;
  /** The caller's role. */
  role: TeamRole;
  registeredUrl: string;
  notice: Notice | null;
  /** True if every changed card requires approval. */
  holdsCards: boolean;
  /** The developer app whose credentials may introspect this agent's tokens. */
  appId: string | null;
  createdAt: string;
}
