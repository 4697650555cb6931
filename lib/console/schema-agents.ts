import { z } from 'zod';
import type { CredentialView, OwnAgent, SkillView } from '../catalog/schema';
import type { CardState, PendingCard } from '../catalog/schema-cards';
import type { OwnCallLimits } from '../catalog/schema-registration';
import type { OwnershipView } from '../catalog/schema-team';
import { MAX_CURSOR_LENGTH, MAX_LIST_QUERY_LENGTH } from './limits';
import type { CallDetail, LoggedCall } from './schema';
import { type AgentFigures, figureRanges } from './schema-overview';

/** An agent with its current problems. */
export interface AgentState {
  agent: OwnAgent;
  /** The latest failure, if any. */
  lastFailure: LoggedCall | null;
  /** A newer card awaits the owner's approval. */
  cardWaits: boolean;
  figures: AgentFigures;
}

/** A page of the user's agents. */
export interface AgentStatePage {
  items: AgentState[];
  /** The number of all agents, and of those that match the search. */
  total: number;
  matching: number;
  nextCursor: string | null;
}

/** Query of the console's list of agents. */
export const agentListQuerySchema = z.object({
  /** Words of the name, the agent ID or the tags. */
  q: z.string().trim().min(1).max(MAX_LIST_QUERY_LENGTH).optional(),
  range: z.enum(figureRanges).optional(),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
});
export type AgentListQuery = z.infer<typeof agentListQuerySchema>;

/** Everything that the console shows for one agent. */
export interface AgentConsole {
  agent: OwnAgent;
  /** The latest failures, newest first. */
  failures: CallDetail[];
  /** Set while the card cannot be fetched or parsed. */
  failing: CardState['failing'];
  /** The card that awaits the owner's approval, if any. */
  review: PendingCard | null;
  /** The credential stored for calls to it. */
  credential: CredentialView | null;
  /** Its team's limits of calls. */
  callLimits: OwnCallLimits;
  /** Proof of host ownership; null once the agent is withdrawn, and for one that connects to Parley. */
  ownership: OwnershipView | null;
  /** Its skills with prices; empty once the agent is withdrawn. */
  skills: SkillView[];
}

/** Parts of a complete listing. */
type ChecklistId =
  | 'card'
  | 'description'
  | 'skills'
  | 'examples'
  | 'icon'
  | 'documentation'
  | 'owner'
  | 'app'
  | 'test'
  | 'introspection';

const checklistItemSchema = z.object({
  id: z.string() as z.ZodType<ChecklistId>,
  done: z.boolean(),
  /** Details where useful: a reason, names of skills, or a time (ISO 8601). */
  detail: z.string().nullable(),
});
export type ChecklistItem = z.infer<typeof checklistItemSchema>;

/** `GET /api/agents/{slug}/checklist`. `notInSearch`: the reason why search excludes the agent; null if it does not. */
export const publishChecklistSchema = z.object({
  items: z.array(checklistItemSchema),
  notInSearch: z.enum(['withdrawn', 'suspended', 'unlisted', 'private']).nullable(),
});
export type PublishChecklist = z.infer<typeof publishChecklistSchema>;
