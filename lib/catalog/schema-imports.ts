import { z } from 'zod';
import { agentName } from '../platform/schema';
import { catalogFormats } from '../protocol/catalogs/read-catalog';
import { MAX_IMPORT_BATCH, MAX_IMPORT_TEXT } from './limits';
import { visibilitySchema } from './schema';
import { agentUrlSchema, tagsSchema } from './schema-registration';

/** Body of `POST /api/imports`: the URL of a list of agents, or its text. */
export const importSourceSchema = z
  .strictObject({
    url: agentUrlSchema.optional(),
    text: z.string().max(MAX_IMPORT_TEXT, `expected at most ${MAX_IMPORT_TEXT} characters`).optional(),
  })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), {
    path: ['url'],
    error: 'expected the URL of a list of agents in "url", or its content in "text"',
  });
export type ImportSource = z.infer<typeof importSourceSchema>;

const problemSchema = z
  .object({
    code: z.string().describe('An error code of registration, or `not_an_agent`, `duplicate` or `nested_too_deep`'),
    message: z.string().describe('What was found, what was expected and what to do'),
  })
  .describe('Why it cannot be listed');
export type ImportProblem = z.infer<typeof problemSchema>;

/** An entry of a list before its card is read. */
const importEntrySchema = z.object({
  number: z.int().describe('Position in the list, from 1'),
  identifier: z.string().nullable(),
  name: z.string().nullable(),
  url: z.string().nullable().describe('The URL of the agent or its card; null if it cannot be listed'),
  /** The document that contains the entry. */
  source: z.string().nullable().describe('The URL of the nested list that contains it, if any'),
  problem: problemSchema.nullable(),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;

/** Response of `POST /api/imports`. No card was read and nothing was listed. */
export const importListSchema = z.object({
  source: z.string().nullable().describe('The URL that the list was read from'),
  format: z.enum(catalogFormats),
  entries: z.array(importEntrySchema),
  omitted: z.int().describe('Number of entries beyond the limit, which were not read; further pages may have more'),
});
export type ImportList = z.infer<typeof importListSchema>;

const agentsOf = <Agent extends z.ZodType>(agent: Agent): z.ZodArray<Agent> =>
  z
    .array(agent)
    .min(1, 'expected at least one agent')
    .max(MAX_IMPORT_BATCH, `expected at most ${MAX_IMPORT_BATCH} agents per request`);

/** Body of `POST /api/imports/check`. */
export const importCheckSchema = z.strictObject({ agents: agentsOf(z.strictObject({ url: agentUrlSchema })) });
export type ImportCheckInput = z.infer<typeof importCheckSchema>;

/**
 * The results that listing would have. `confirm` requires `confirmOrigin`; `listed` means that the caller has already
 * listed the agent.
 */
const importVerdicts = ['ready', 'confirm', 'listed', 'refused'] as const;

/** The result that listing one agent would have. */
const importVerdictSchema = z.object({
  url: z.string(),
  verdict: z.enum(importVerdicts),
  /** Null if it is refused. */
  agent: z
    .object({ name: z.string(), description: z.string(), slug: z.string().nullable(), skills: z.int() })
    .nullable()
    .describe('Name from the card; `slug` once the agent is listed'),
  otherOrigin: z
    .object({ found: z.string(), expected: z.string() })
    .nullable()
    .describe('Calls would go to a different origin: listing requires `confirmOrigin`'),
  looksLike: agentName.nullable().describe('A similar agent of another owner who is verified'),
  warnings: z.int().describe('Warnings about the card'),
  problem: problemSchema.nullable(),
});
export type ImportVerdict = z.infer<typeof importVerdictSchema>;

/** Response of `POST /api/imports/check`, in the order of the request. */
export const importVerdictsSchema = z.object({ results: z.array(importVerdictSchema) });
export type ImportVerdicts = z.infer<typeof importVerdictsSchema>;

/** Body of `POST /api/imports/list`. */
export const importListInputSchema = z.strictObject({
  agents: agentsOf(
    z.strictObject({
      url: agentUrlSchema,
      /** Confirms that calls may go to an origin other than the card's. */
      confirmOrigin: z.boolean().optional(),
    }),
  ),
  visibility: visibilitySchema.optional(),
  tags: tagsSchema.optional(),
});
export type ImportListInput = z.infer<typeof importListInputSchema>;

/** The outcomes. `unchanged` means that the caller had already listed the agent. */
const importOutcomes = ['listed', 'unchanged', 'refused'] as const;

const importOutcomeSchema = z.object({
  url: z.string(),
  outcome: z.enum(importOutcomes),
  agent: z.object({ slug: z.string(), name: z.string() }).nullable(),
  problem: problemSchema.nullable(),
});
export type ImportOutcome = z.infer<typeof importOutcomeSchema>;

/** Response of `POST /api/imports/list`, in the order of the request. */
export const importOutcomesSchema = z.object({ results: z.array(importOutcomeSchema) });
export type ImportOutcomes = z.infer<typeof importOutcomesSchema>;
