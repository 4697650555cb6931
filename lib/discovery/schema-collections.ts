import { z } from 'zod';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_TITLE } from './limits';
import type { ListedAgentView } from './schema';

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
  /** For admins only: Parley recommends it. */
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

/** A collection in a list. Times are ISO 8601. */
export interface CollectionSummary {
  id: string;
  title: string;
  description: string;
  visibility: 'public' | 'private';
  isCurated: boolean;
  /** The owner's public name; null when they have none. */
  keeper: string | null;
  isOwn: boolean;
  /** Number of public agents in it. */
  agents: number;
  updatedAt: string;
  /** Whether it contains the agent of the query. */
  holds?: boolean;
}

/** A collection with its agents, most recently added first. */
export interface CollectionView extends CollectionSummary {
  items: ListedAgentView[];
}
