import { z } from 'zod';
import { time } from '../platform/schema';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import { MAX_SAVED_SEARCH_NAME } from './limits';
import { searchQuerySchema } from './schema';

const { q, tag, capability, health, price, presence, publisher, rating, updated } = searchQuerySchema.shape;

/** The words and filters of a saved search. */
export const savedQuerySchema = z.strictObject({
  q,
  tag,
  capability,
  health,
  price,
  presence,
  publisher,
  rating,
  updated,
});
export type SavedQuery = z.infer<typeof savedQuerySchema>;

const queryInput = savedQuerySchema.refine(
  ({ q: words, tag: tags, capability: capabilities, ...filters }) =>
    words !== '' || tags.length > 0 || capabilities.length > 0 || Object.values(filters).some(Boolean),
  'expected a query or a filter; otherwise every new agent would match',
);

const name = z
  .string()
  .transform(cleanLine)
  .pipe(
    z
      .string()
      .min(1, 'expected a name')
      .max(MAX_SAVED_SEARCH_NAME, `expected at most ${MAX_SAVED_SEARCH_NAME} characters`),
  );

/** Body of `POST /api/saved-searches`. */
export const savedSearchInputSchema = z.strictObject({
  name,
  query: queryInput,
  /** Emails new matches, at most once a day. */
  mail: z.boolean().default(false),
  /** Create a private feed of new matches. */
  feed: z.boolean().default(false),
});
export type SavedSearchInput = z.infer<typeof savedSearchInputSchema>;

/** Body of `PATCH /api/saved-searches/{id}`. Absent members stay unchanged. */
export const savedSearchChangeSchema = z.strictObject({
  name: name.optional(),
  query: queryInput.optional(),
  mail: z.boolean().optional(),
});
export type SavedSearchChange = z.infer<typeof savedSearchChangeSchema>;

/** A saved search, for its user. */
export const savedSearchSchema = z.object({
  id: z.string(),
  name: z.string(),
  query: savedQuerySchema,
  mail: z.boolean().describe('New matches are emailed, at most once a day'),
  feed: z.boolean().describe('Whether it has a private feed'),
  createdAt: time,
  /** Null before the first run. */
  checkedAt: time.nullable().describe('When Parley last looked for new matches'),
});
export type SavedSearchView = z.infer<typeof savedSearchSchema>;

/** The URL of a private feed, returned only once. */
export const feedUrlSchema = z.object({
  feedUrl: z.string().describe('Returned only once; anyone who has the URL can read the feed'),
});

/** A new saved search. */
export const createdSavedSearchSchema = savedSearchSchema.extend({ feedUrl: feedUrlSchema.shape.feedUrl.nullable() });
export type CreatedSavedSearch = z.infer<typeof createdSavedSearchSchema>;
