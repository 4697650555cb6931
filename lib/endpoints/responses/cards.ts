import { z } from 'zod';
import { badges, type SkillView } from '../../catalog/schema';
import type { CardDifference, CardRefresh, CardVersionView, FixableFault } from '../../catalog/schema-cards';
import type { AgentPreview, CardLint, PreviewedCard } from '../../catalog/schema-preview';
import { agentName, time } from '../../platform/schema';
import type { CardRule } from '../../protocol/a2a/cards/diagnostics';
import { cardChange, skillPrice } from './agents';

export const fixableDiagnostic: z.ZodType<FixableFault> = z.object({
  line: z.int(),
  column: z.int(),
  pointer: z.string().describe('RFC 6901'),
  rule: z.string() as z.ZodType<CardRule>,
  found: z.string(),
  expected: z.string(),
  fix: z.string(),
  edits: z
    .array(z.object({ offset: z.int(), length: z.int(), content: z.string() }))
    .nullable()
    .describe('What mends it in the text; null where a person must decide'),
});

export const skill: z.ZodType<SkillView> = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  examples: z.array(z.string()),
  inputModes: z.array(z.string()),
  outputModes: z.array(z.string()),
  price: skillPrice.nullable(),
});

export const previewedCard: z.ZodType<PreviewedCard> = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  protocolVersion: z.enum(['0.1', '0.3', '1.0']),
  binding: z.enum(['JSONRPC', 'HTTP+JSON']),
  endpointUrl: z.string().describe('Where calls would go'),
  badges: z.array(z.enum(badges)),
  tags: z.array(z.string()),
  skills: z.array(skill),
});

export const agentPreview: z.ZodType<AgentPreview> = z.object({
  cardUrl: z.string(),
  card: previewedCard.nullable(),
  faults: z.array(fixableDiagnostic),
  warnings: z.array(fixableDiagnostic),
  source: z.string().nullable().describe('The text of the card, when something is wrong with it'),
  slug: z.string().nullable(),
  looksLike: agentName.nullable().describe('A verified agent of somebody else for which it could be mistaken'),
  isListed: z.boolean().describe('Registering it again updates it'),
  otherOrigin: z
    .object({ found: z.string(), expected: z.string() })
    .nullable()
    .describe('Calls would go elsewhere: registering needs `confirmOrigin`'),
});

export const cardLint: z.ZodType<CardLint> = z.object({
  card: previewedCard.nullable(),
  faults: z.array(fixableDiagnostic),
  warnings: z.array(fixableDiagnostic),
});

export const cardDifference: z.ZodType<CardDifference> = z.object({
  member: z.string().describe('Dotted, such as capabilities.streaming'),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const cardRefresh: z.ZodType<CardRefresh> = z.object({
  changed: z.boolean(),
  diff: z.array(cardDifference),
  reasons: z.array(cardChange).describe('Why it would not go live by itself'),
  etag: z.string().describe('Sent back it lets this card go live'),
});

export const cardVersion: z.ZodType<CardVersionView> = z.object({
  version: z.string(),
  digest: z.string().describe('SHA-256 of its bytes, hex'),
  listedAt: time,
  differences: z.array(cardDifference).nullable().describe('From the one before; null for the first that is kept'),
  more: z.int().describe('Differences beside these'),
});
