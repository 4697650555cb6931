import { z } from 'zod';
import type { JsonObject } from '../json';
import {
  MAX_HUB_CAPACITY,
  MAX_HUB_FOUND,
  MAX_HUB_QUERY_LENGTH,
  MAX_HUB_RUNS,
  MAX_HUB_TOKEN_LENGTH,
  MAX_ID_LENGTH,
} from '../limits';

/** The WebSocket subprotocol of the hub: JSON-RPC 2.0 text frames, one object each, with A2A 1.0 payloads. */
export const HUB_SUBPROTOCOL = 'parley.hub.v1';

const jsonObject = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;
const capacity = z.int().min(1).max(MAX_HUB_CAPACITY);
const count = z.int().min(0);

/** Identifies a turn of a task: `{taskId}:{the task's sequence number at its start}`. */
const runIdSchema = z.string().regex(/^[0-9a-f-]{36}:\d{1,9}$/, 'expected a run id as the hub sent it');

/** Identifies one start of a run. Frames about an earlier offer of the same run are rejected. */
const runRef = { runId: runIdSchema, epoch: count };

/** `hub.hello`, the first frame of a worker. */
export const helloParams = z.object({
  token: z.string().min(1).max(MAX_HUB_TOKEN_LENGTH),
  /** The slug of the agent. */
  agent: z.string().min(1).max(100),
  /** Chosen by the worker and preserved across reconnects. */
  workerId: z.uuid(),
  /** Maximum concurrent runs. */
  capacity,
  version: z.string().max(100).default(''),
  /** Becomes the agent's card after the usual review. */
  card: jsonObject.optional(),
  /** `safe`: a run that was lost with its worker may be started again. */
  redelivery: z.enum(['never', 'safe']).default('never'),
  /** The runs that the worker still executes. `sent` is the number of the last event sent. */
  runs: z
    .array(z.object({ ...runRef, sent: count }))
    .max(MAX_HUB_RUNS)
    .default([]),
});
export type HelloParams = z.infer<typeof helloParams>;

/** `hub.auth`: presents a new token before the old one expires. */
export const authParams = z.object({ token: z.string().min(1).max(MAX_HUB_TOKEN_LENGTH) });

/** The result of `run.offer`. */
export const offerResult = z.union([
  z.object({ accept: z.literal(true) }),
  z.object({
    accept: z.literal(false),
    reason: z.enum(['busy', 'draining', 'cannot']).default('cannot'),
    retryAfterMs: count.max(3_600_000).optional(),
  }),
]);
export type OfferResult = z.infer<typeof offerResult>;

/** `run.event`: the n-th event of a run, without gaps. `item` is an A2A 1.0 StreamResponse. */
export const eventParams = z.object({ ...runRef, n: z.int().min(1), item: jsonObject });

/** `run.release`: the worker has not started the run, or another worker may safely execute it. */
export const releaseParams = z.object({ ...runRef, reason: z.string().max(500).optional() });

/** Params of `worker.state`. */
export const stateParams = z.union([z.object({ draining: z.literal(true) }), z.object({ capacity })]);

const searchText = z.string().trim().max(MAX_HUB_QUERY_LENGTH);
const id = z.string().min(1).max(MAX_ID_LENGTH);

/** `agent.search`: an empty query matches every public agent. */
export const agentSearchParams = z.object({
  query: searchText,
  /** Words that the agent's texts must contain in addition to those of the query. */
  skill: searchText.optional(),
  health: z.enum(['healthy', 'degraded', 'down', 'unknown']).optional(),
  limit: z.int().min(1).max(MAX_HUB_FOUND).default(10),
});
export type AgentSearchParams = z.infer<typeof agentSearchParams>;

/** Params of `agent.send`. */
export const agentSendParams = z.object({
  /** The slug of the other agent. */
  agent: z.string().min(1).max(100),
  /** An A2A 1.0 Message. Its `messageId` is a UUID, so that a repeated message is processed once. */
  message: jsonObject,
  /** The run for whose caller the agent sends. Without it, the agent sends as its app. */
  runId: z.string().max(100).optional(),
  /** The conversation to continue, and the task that the message answers. */
  contextId: id.optional(),
  taskId: id.optional(),
  /** The metadata of the A2A 1.0 SendMessageRequest. */
  metadata: jsonObject.optional(),
});

/** `agent.cancel`: a task that this agent sent. */
export const agentCancelParams = z.object({ taskId: id });
