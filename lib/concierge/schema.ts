import { z } from 'zod';
import { priceSummarySchema } from '../catalog/schema-prices';

/** The `kind` of the data part of the concierge's question. */
export const CHOICES_KIND = 'agent-choices';

/**
 * Reasons why the concierge asks: several agents match equally; the best match takes payments; the message contains a
 * file or possibly secrets; no agent matches; the chosen agent cannot accept the task; the user requested another
 * agent.
 */
export const CHOICE_REASONS = ['unsure', 'paid', 'private', 'nothing-fits', 'unavailable', 'another'] as const;
export type ChoiceReason = (typeof CHOICE_REASONS)[number];

const agentChoiceSchema = z.object({
  agent: z.string().describe('The slug of the agent'),
  name: z.string(),
  description: z.string(),
  skill: z.object({ id: z.string(), name: z.string() }).nullable().describe('The matching skill; null if nothing fits'),
  price: priceSummarySchema,
  score: z.number().nullable().describe('Relevance, about 0 to 1; null if semantic search was not used'),
});
export type AgentChoice = z.infer<typeof agentChoiceSchema>;

/** The data part of the concierge's question that asks which agent should receive the message. */
export const agentChoicesSchema = z.object({
  kind: z.literal(CHOICES_KIND),
  reason: z.enum(CHOICE_REASONS),
  choices: z.array(agentChoiceSchema).min(1).max(3),
});
export type AgentChoices = z.infer<typeof agentChoicesSchema>;
