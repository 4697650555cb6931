import { z } from 'zod';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import {
  MAX_CALL_TIMEOUT_SECONDS,
  MAX_CONCURRENT_TASKS,
  MAX_ID_LENGTH,
  MAX_NOTICE_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_URL_LENGTH,
} from './limits';
import type { CardDiagnostic, CardState, SignatureVerdict } from './schema-cards';
import type { CredentialView } from './schema-credentials';
import { pricesSchema, type SkillPrice } from './schema-prices';

/** Who may find and call an agent: everyone, everyone who knows the slug, or its team. */
export const visibilitySchema = z.enum(['public', 'unlisted', 'private']);
export type Visibility = z.infer<typeof visibilitySchema>;

export const agentStatusSchema = z.enum(['active', 'deprecated', 'suspended', 'withdrawn']);
export type AgentStatus = z.infer<typeof agentStatusSchema>;

/**
 * Roles in an agent's team, ascending: a viewer reads its log and settings, a developer changes them, the owner also
 * manages team, withdrawal and payments.
 */
export const teamRoles = ['viewer', 'developer', 'owner'] as const;
export type TeamRole = (typeof teamRoles)[number];
/** Roles that an invitation can grant. An agent has exactly one owner. */
export const memberRoleSchema = z.enum(['viewer', 'developer']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/**
 * Properties that the card declares; `signed`: a signature was verified; `verified`: the owner proved to control the
 * host.
 */
export const badges = ['authenticated', 'payments', 'streaming', 'push-notifications', 'signed', 'verified'] as const;
export type Badge = (typeof badges)[number];

/** An item of `GET /api/agents`. Times are ISO 8601. */
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
  /** The icon as Parley serves it; null when the card names none that can be shown. */
  iconUrl: string | null;
  updatedAt: string;
}

/** A skill of the agent's card. */
export interface SkillView {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
  /** The price of one use that the team declared, or null. */
  price: SkillPrice | null;
}

/** A security scheme of the agent's own card, summarized for display. */
export interface SecuritySchemeView {
  name: string;
  type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  summary: string;
  scopes: string[];
}

/** The response of `GET /api/agents/{slug}`. */
export interface AgentView extends AgentSummary {
  signature: SignatureVerdict;
  prices: SkillPrice[];
  notice: Notice | null;
  /** For the team only. */
  card?: CardState;
  /** Violations of the specification that do not prevent calls; for the team only, absent if empty. */
  warnings?: CardDiagnostic[];
}

/** The verified agent of another owner with which an agent is confusable. */
export interface Lookalike {
  slug: string;
  name: string;
}

/** Everything that the agent's page shows. */
export interface AgentDetail extends AgentSummary {
  /** `handle` is null when the account is deleted. */
  publisher: { name: string; handle: string | null; listings: number };
  looksLike: Lookalike | null;
  provider: { organization: string; url: string } | null;
  documentationUrl: string | null;
  protocolVersion: '0.1' | '0.3' | '1.0';
  skills: SkillView[];
  inputModes: string[];
  outputModes: string[];
  securitySchemes: SecuritySchemeView[];
  /** `unsupported`: required, but Parley's chat and clients cannot activate it. */
  extensions: { uri: string; description: string; required: boolean; unsupported: boolean }[];
  /** True when a developer app is linked, so that the agent can introspect callers' tokens. */
  canIdentifyCallers: boolean;
  notice: Notice | null;
  /** The published card, pretty-printed JSON. */
  cardJson: string;
  createdAt: string;
}

/** The URL of an agent or of its card. */
export const agentUrlSchema = z
  .string()
  .trim()
  .min(1, 'expected the address of an agent or of its card')
  .max(MAX_URL_LENGTH);
const tagLength = `expected tags of 1 to ${MAX_TAG_LENGTH} characters`;
const tags = z
  .array(z.string().transform(normaliseTag).pipe(z.string().min(1, tagLength).max(MAX_TAG_LENGTH, tagLength)))
  .max(MAX_TAGS, `expected at most ${MAX_TAGS} tags`)
  .transform((list) => [...new Set(list)]);
const appId = z.string().min(1).max(MAX_ID_LENGTH).nullable();

/** Body of `POST /api/agents`. Omitted members keep their value when the owner registers the same URL again. */
export const registerInputSchema = z.strictObject({
  url: agentUrlSchema,
  slug: z.string().optional(),
  tags: tags.optional(),
  visibility: visibilitySchema.optional(),
  appId: appId.optional(),
  /** Confirms that calls go to another origin than the card's. */
  confirmOrigin: z.boolean().optional(),
});
export type RegisterInput = z.infer<typeof registerInputSchema>;

/** Limits of calls to an agent, set by its owner. */
const callLimitsSchema = z.strictObject({
  /** Concurrent tasks of all callers. */
  maxConcurrent: z.int().min(1).max(MAX_CONCURRENT_TASKS).optional(),
  /** Timeout of a whole response, and of the next event of a stream. */
  unaryTimeoutSeconds: z.int().min(1).max(MAX_CALL_TIMEOUT_SECONDS).optional(),
  silenceTimeoutSeconds: z.int().min(1).max(MAX_CALL_TIMEOUT_SECONDS).optional(),
});
export type OwnCallLimits = z.infer<typeof callLimitsSchema>;

/** What the team sees in addition to {@link AgentView}. */
export interface OwnerView {
  callLimits: OwnCallLimits;
  credential: CredentialView | null;
}

/** Body of `PATCH /api/agents/{slug}`. */
export const updateInputSchema = z.strictObject({
  tags: tags.optional(),
  visibility: visibilitySchema.optional(),
  status: z.enum(['active', 'deprecated']).optional(),
  /** Replaces all limits; `{}` restores the defaults. */
  callLimits: callLimitsSchema.optional(),
  appId: appId.optional(),
  /** Replaces all prices. */
  prices: pricesSchema.optional(),
  /** The notice on the agent's page; null removes it. */
  notice: z
    .lazy(() => noticeSchema)
    .nullable()
    .optional(),
  /** True: every changed card requires approval. */
  holdsCards: z.boolean().optional(),
});
export type UpdateInput = z.infer<typeof updateInputSchema>;

/** A tag as it is stored and searched: lower case, single spaces, no invisible characters. */
export function normaliseTag(tag: string): string {
  return cleanLine(tag).toLowerCase();
}

/** A message of the team on the agent's page. */
const noticeSchema = z
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
    message: 'expected a text that says what people should know',
  });
export type Notice = z.infer<typeof noticeSchema>;

/** A listing as its team sees it. */
export interface OwnAgent extends AgentSummary {
  id: string;
  /** The caller's role. */
  role: TeamRole;
  registeredUrl: string;
  notice: Notice | null;
  /** Every changed card requires approval. */
  holdsCards: boolean;
  /** The developer app whose credentials may introspect this agent's tokens. */
  appId: string | null;
  createdAt: string;
}

/** What an owner publishes to prove that they control their agent's host: a TXT record or a file. */
export interface OwnershipProof {
  host: string;
  /** The TXT record, or one line of the file. */
  text: string;
  /** The TXT record's name; null when the host is an IP address. */
  dnsName: string | null;
  fileUrl: string;
}

/** `GET /api/agents/{slug}/ownership`. Times are ISO 8601. */
export interface OwnershipView {
  proof: OwnershipProof;
  /** Null until the proof is found. */
  proved: { method: 'dns' | 'file'; at: string; checkedAt: string; missingSince: string | null } | null;
}
