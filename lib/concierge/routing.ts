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
  /** The id of the message for which the decision was made. */
  turn: z.string(),
  /** The messages to forward. */
  messages: z.array(z.string()),
  /** The earlier task that contains some of the messages; null if this task contains all of them. */
  origin: z.string().nullable(),
  /**
   * The source of the decision: the rule, a router model, the user, the `executor` of the request, or the last answer's
   * agent.
   */
  by: z.enum(['rule', 'model', 'person', 'executor', 'follow-up']).nullable(),
  reason: z.enum(CHOICE_REASONS).nullable(),
  agent: z.string().nullable(),
  skill: z.string().nullable(),
  score: z.number().nullable(),
  lead: z.number().nullable(),
  /** The kind of search that found the candidates; null if there was no search. */
  semantic: z.string().nullable(),
  candidates: z.array(rankedSchema).describe('Best match first'),
  /** The slugs that were offered. */
  offered: z.array(z.string()),
  /** The agents that the user rejected, or that could not accept the task. */
  excluded: z.array(z.string()),
  /** True if the user chose an agent other than the concierge's first choice. */
  override: z.boolean(),
  /** The task of the chosen agent. */
  task: z.string().nullable(),
});

/** A decision of the concierge, as stored in its task's metadata. */
export type Routing = z.infer<typeof routingSchema>;

/** Returns the last decision in a task; null if there is none. */
export function readRouting({ metadata }: Pick<Task, 'metadata'>): Routing | null {
  const parsed = routingSchema.safeParse(metadata?.[ROUTING]);
  return parsed.success ? parsed.data : null;
}

/** Returns the metadata of a task with this decision, with `executor` and `skill_used` as in Society AI. */
export function toMetadata(routing: Routing): JsonObject {
  const { agent, skill } = routing;
  return {
    [ROUTING]: { ...routing },
    ...(agent !== null && { executor: { name: agent } }),
    ...(agent !== null && skill !== null && { skill_used: skill }),
  };
}

/** Returns an empty decision, before the choice is made. */
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
