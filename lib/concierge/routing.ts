import { z } from 'zod';
import type { Task } from '../protocol/a2a/core/model';
import type { JsonObject } from '../protocol/json';
import { CHOICE_REASONS } from './schema';

/** The member of a task's metadata with the decision of the concierge. */
const ROUTING = 'parley.routing';

const rankedSchema = z.object({
  agent: z.string(),
  skill: z.string().nullable().describe('The ID of the matching skill'),
  score: z.number().nullable(),
});

const routingSchema = z.object({
  state: z.enum(['asked', 'routed']),
  /** The message that was decided about. */
  turn: z.string(),
  /** The messages that are passed on. */
  messages: z.array(z.string()),
  /** The earlier task that has some of them; null when this one has all. */
  origin: z.string().nullable(),
  /** Who decided: the rule, a router model, the person, the `executor` of the request, or the last answer's agent. */
  by: z.enum(['rule', 'model', 'person', 'executor', 'follow-up']).nullable(),
  reason: z.enum(CHOICE_REASONS).nullable(),
  agent: z.string().nullable(),
  skill: z.string().nullable(),
  score: z.number().nullable(),
  lead: z.number().nullable(),
  /** How the search found the candidates; null when there was none. */
  semantic: z.string().nullable(),
  candidates: z.array(rankedSchema).describe('Best match first'),
  /** The slugs that were offered. */
  offered: z.array(z.string()),
  /** The agents that the person did not want, or that could not take the task. */
  excluded: z.array(z.string()),
  /** The person took another agent than the concierge's first. */
  override: z.boolean(),
  /** The task of the chosen agent. */
  task: z.string().nullable(),
});

/** A decision of the concierge, as its task's metadata has it. */
export type Routing = z.infer<typeof routingSchema>;

/** The last decision in a task; null without one. */
export function readRouting({ metadata }: Pick<Task, 'metadata'>): Routing | null {
  const parsed = routingSchema.safeParse(metadata?.[ROUTING]);
  return parsed.success ? parsed.data : null;
}

/** The metadata of a task with this decision; `executor` and `skill_used` as Society AI has them. */
export function toMetadata(routing: Routing): JsonObject {
  const { agent, skill } = routing;
  return {
    [ROUTING]: { ...routing },
    ...(agent !== null && { executor: { name: agent } }),
    ...(agent !== null && skill !== null && { skill_used: skill }),
  };
}

/** A decision that has not been taken. */
export function openRouting({ turn, messages }: Pick<Routing, 'turn' | 'messages'>): Routing {
  return {
    ...{ turn, messages },
    origin: null,
    state: 'asked',
    by: null,
    reason: null,
    agent: null,
    skill: null,
    score: null,
    lead: null,
    semantic: null,
    candidates: [],
    offered: [],
    excluded: [],
    override: false,
    task: null,
  };
}
