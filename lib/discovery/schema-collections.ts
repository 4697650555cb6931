import { z } from 'zod';
import { agentMarkSchema } from '../catalog/schema';
import { time } from '../platform/schema';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_TITLE } from './limits';
import { listedAgentSchema } from './schema-rankings';

const line = z.string().transform(cleanLine);

/** Body of `POST /api/collections`. */
export const collectionInputSchema = z.strictObject({
  title: line.pipe(
    z
      .string()
      .min(1, 'expected a title')
      .max(MAX_COLLECTION_TITLE, `expected at most ${MAX_COLLECTION_TITLE} characters`),
  ),
  description: z
    .string()
    .trim()
    .max(MAX_COLLECTION_DESCRIPTION, `expected at most ${MAX_COLLECTION_DESCRIPTION} characters`)
    .default(''),
  visibility: z.enum(['public', 'private']).default('private'),
  /** True if Parley recommends the collection. Only admins can set it. */
  isCurated: z.boolean().optional(),
});
export type CollectionInput = z.infer<typeof collectionInputSchema>;

/** Body of `PATCH /api/collections/{id}`. Absent members stay unchanged. */
export const collectionChangeSchema = z.strictObject({
  title: collectionInputSchema.shape.title.optional(),
  description: collectionInputSchema.shape.description.unwrap().optional(),
  visibility: collectionInputSchema.shape.visibility.unwrap().optional(),
  isCurated: z.boolean().optional(),
});
export type CollectionChange = z.infer<typeof collectionChangeSchema>;

/** A collection in a list. */
export const collectionSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  visibility: z.enum(['public', 'private']),
  isCurated: z.boolean(),
  /** The owner's public name; null if they have none. */
  keeper: z.string().nullable(),
  isOwn: z.boolean(),
  agents: z.int().describe('Number of public agents in it'),
  preview: z.array(agentMarkSchema).describe('The public agents added last, at most 4'),
  updatedAt: time,
  holds: z.boolean().optional().describe('Whether it contains the requested agent'),
});
export type CollectionSummary = z.infer<typeof collectionSummarySchema>;

/** Response of `GET /api/collections`. */
export const collectionsSchema = z.object({
  shared: z.array(collectionSummarySchema),
  own: z.array(collectionSummarySchema),
});
export type Collections = z.infer<typeof collectionsSchema>;

/** A collection with its agents, most recently added first. */
export const collectionSchema = collectionSummarySchema.extend({ items: z.array(listedAgentSchema) });
export type CollectionView = z.infer<typeof collectionSchema>;
