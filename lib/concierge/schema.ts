import { z } from 'zod';
import { priceSummarySchema } from '../catalog/schema-prices';

/** The `kind` of the data part with which the concierge asks. */
export const CHOICES_KIND = 'agent-choices';

/**
 * Why the concierge asks: several agents fit alike; the best takes payments; the message holds a file or looks secret;
 * nothing fits; the chosen agent cannot take the task; the person wants another.
 */
export const CHOICE_REASONS = ['unsure', 'paid', 'private', 'nothing-fits', 'unavailable', 'another'] as const;
export type ChoiceReason = (typeof CHOICE_REASONS)[number];

const agentChoiceSchema = z.object({
  agent: z.string().describe('The slug of the agent'),
  name: z.string(),
  description: z.string(),
  skill: z.object({ id: z.string(), name: z.string() }).nullable().describe('The matching skill'),
  price: priceSummarySchema,
  score: z.number().nullable().describe('Relevance, about 0 to 1; null if semantic search was not used'),
});
export type AgentChoice = z.infer<typeof agentChoiceSchema>;

/** The data part with which the concierge asks which agent shall get the message. */
export const agentChoicesSchema = z.object({
  kind: z.literal(CHOICES_KIND),
  reason: z.enum(CHOICE_REASONS),
  choices: z.array(agentChoiceSchema).min(1).max(3),
});
export type AgentChoices = z.infer<typeof agentChoicesSchema>;
