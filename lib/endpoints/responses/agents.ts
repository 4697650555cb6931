import { z } from 'zod';
import {
  type AgentSummary,
  type AgentView,
  agentStatusSchema,
  badges,
  type Notice,
  type OwnershipView,
  type OwnerView,
  visibilitySchema,
} from '../../catalog/schema';
import type { CardChange, CardDiagnostic, CardState, SignatureVerdict } from '../../catalog/schema-cards';
import type { CredentialView } from '../../catalog/schema-credentials';
import type { SkillPrice } from '../../catalog/schema-prices';
import type { PublisherPage, PublisherProfile } from '../../catalog/schema-publishers';
import { healths, type RankingSummary, type SearchPage } from '../../discovery/schema';
import { time } from '../../platform/schema';
import type { SignatureReason } from '../../protocol/a2a/cards/card-signatures';
import type { CardRule } from '../../protocol/a2a/cards/diagnostics';
import { minorUnits } from './payments';

const summary = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  tags: z.array(z.string()),
  visibility: visibilitySchema,
  status: agentStatusSchema,
  badges: z.array(z.enum(badges)),
  url: z.string(),
  cardUrl: z.string().describe("What SDKs take as createFromUrl(cardUrl, '')"),
  iconUrl: z.string().nullable(),
  updatedAt: time,
});

/** The members of an agent in every response. */
export const agentSummary: z.ZodType<AgentSummary> = summary;

export const skillPrice: z.ZodType<SkillPrice> = z.object({
  skillId: z.string().describe('As in the card'),
  amount: minorUnits.describe('Minor units; 0: free'),
  currency: z.string(),
  from: z.boolean().describe('It may cost more'),
});

export const signature: z.ZodType<SignatureVerdict> = z.union([
  z.object({ state: z.literal('unsigned') }),
  z.object({
    state: z.literal('verified'),
    alg: z.string(),
    kid: z.string(),
    keyThumbprint: z.string().describe('RFC 7638'),
  }),
  z.object({ state: z.literal('unverified'), reason: z.string() as z.ZodType<SignatureReason> }),
]);

export const notice: z.ZodType<Notice> = z.object({
  kind: z.enum(['note', 'maintenance', 'deprecated']),
  text: z.string(),
  replacement: z.string().optional().describe('The slug of the agent to use in its place'),
});

export const cardChange: z.ZodType<CardChange> = z.union([
  z.object({ what: z.literal('asked') }),
  z.object({ what: z.literal('host'), found: z.array(z.string()), expected: z.array(z.string()) }),
  z.object({ what: z.literal('key'), found: signature }),
]);

export const cardState: z.ZodType<CardState> = z.object({
  checkedAt: time,
  failing: z.object({ since: time, reason: z.string() }).nullable(),
  waiting: z.object({ digest: z.string(), fetchedAt: time, reasons: z.array(cardChange) }).nullable(),
});

export const cardDiagnostic: z.ZodType<CardDiagnostic> = z.object({
  line: z.int(),
  column: z.int(),
  pointer: z.string().describe('RFC 6901'),
  rule: z.string() as z.ZodType<CardRule>,
  found: z.string(),
  expected: z.string(),
  fix: z.string(),
});

const view = summary.extend({
  signature,
  prices: z.array(skillPrice),
  notice: notice.nullable(),
  card: cardState.optional().describe('How its card is kept up to date; for its owner'),
  warnings: z
    .array(cardDiagnostic)
    .optional()
    .describe('Where its card violates the specification; for its owner, absent when nowhere'),
});

export const agentView: z.ZodType<AgentView> = view;

export const rankingSummary: z.ZodType<RankingSummary> = z.object({
  health: z.enum(healths),
  score: z.number().nullable().describe('0 to 100'),
  users: z.int().describe('People and apps within thirty days'),
  rating: z.object({ average: z.number(), count: z.int() }).nullable(),
  isUnderMaintenance: z.boolean(),
});

/** An agent in lists other than search results. */
export const listedAgent = summary.extend({ standing: rankingSummary });

export const searchPage: z.ZodType<SearchPage> = z.object({
  items: z.array(
    listedAgent.extend({ matchedSkill: z.string().nullable().describe('Whose name or text matched best') }),
  ),
  nextCursor: z.string().nullable(),
  total: z.int(),
  totalIsCapped: z.boolean(),
  facets: z
    .object({
      tags: z.array(counted(z.string())),
      capabilities: z.array(counted(z.enum(badges))),
      health: z.array(counted(z.enum(healths))),
      price: z.array(counted(z.enum(['free', 'paid']))),
      rating: z.array(counted(z.enum(['4', '3', '2']))),
      updated: z.array(counted(z.enum(['7', '30', '90']))),
      publishers: z.array(counted(z.string()).extend({ name: z.string() })),
    })
    .describe('How many matches each further filter would leave'),
});

function counted<Value extends z.ZodType>(value: Value): z.ZodObject<{ value: Value; count: z.ZodInt }> {
  return z.object({ value, count: z.int() });
}

const profile = z.object({
  handle: z.string(),
  name: z.string(),
  bio: z.string(),
  link: z.string().nullable(),
});

export const publisherProfile: z.ZodType<PublisherProfile> = profile;

export const publisherPage: z.ZodType<PublisherPage> = profile.extend({
  joinedAt: time,
  hosts: z.array(z.string()).describe('Proved to be theirs'),
  agents: z.array(agentSummary),
});

export const credentialView: z.ZodType<CredentialView> = z.object({
  kind: z.enum(['bearer', 'api-key', 'oauth-client-credentials']),
  setAt: time,
});

/** An agent as its team sees it, or as everyone does. */
export const oneAgent: z.ZodType<(AgentView & OwnerView) | AgentView> = z.union([
  view.extend({
    callLimits: z.object({
      maxConcurrent: z.int().optional(),
      unaryTimeoutSeconds: z.int().optional(),
      silenceTimeoutSeconds: z.int().optional(),
    }),
    credential: credentialView.nullable(),
  }),
  agentView,
]);

export const ownershipView: z.ZodType<OwnershipView> = z.object({
  proof: z.object({
    host: z.string(),
    text: z.string().describe('The text of the TXT record, or one line of the file'),
    dnsName: z.string().nullable(),
    fileUrl: z.string(),
  }),
  proved: z
    .object({ method: z.enum(['dns', 'file']), at: time, checkedAt: time, missingSince: time.nullable() })
    .nullable(),
});
