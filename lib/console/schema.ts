import { z } from 'zod';
import { callOrigins, loggedExchangeSchema } from '../observability/schema';
import { time } from '../platform/schema';
import { MAX_CALL_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_METHOD_LENGTH, MAX_ZONE_LENGTH } from './limits';

/** A logged call to an agent, for its team. */
export const loggedCallSchema = z.object({
  id: z.string(),
  at: time,
  ms: z.number().describe('Milliseconds until the response ended'),
  method: z.string().describe('Empty if the agent was not called'),
  /** A2A version and binding of the request. */
  dialect: z.string(),
  requestId: z.string(),
  caller: z.string().describe('The caller ID (`sub` of the token); empty if unknown'),
  origin: z.enum(callOrigins),
  taskId: z.string().describe('Empty when the call was about no task'),
  /** The call that this one replays. */
  replayOf: z.string().nullable(),
  /** True if the HTTP exchange is stored: for failed calls and for calls from the console. */
  hasWire: z.boolean(),
  /** Null if the call succeeded. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type LoggedCall = z.infer<typeof loggedCallSchema>;

/** A call in a list of several agents' calls. */
export interface AgentCallView extends LoggedCall {
  agent: { slug: string; name: string };
}

/** A call with its HTTP exchange. */
export const callDetailSchema = loggedCallSchema.extend({ wire: loggedExchangeSchema.nullable() });
export type CallDetail = z.infer<typeof callDetailSchema>;

/** Time ranges that end now. */
export const callRanges = ['1h', '24h', '7d'] as const;

const local = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}Z`)),
    'expected a time such as 2026-11-22T04:30',
  );

/** Query of the call log page, of `GET /api/agents/{slug}/calls` and of `…/stats`. */
export const callQuerySchema = z.object({
  status: z.enum(['ok', 'failed']).optional(),
  /** Error code. */
  code: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'expected a code such as agent_timeout')
    .optional(),
  method: z.string().min(1).max(MAX_METHOD_LENGTH).optional(),
  caller: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'expected a caller ID (the sub of a token)')
    .optional(),
  origin: z.enum(callOrigins).optional(),
  /** A part of a request or task id, or a caller, an error code or a method. */
  q: z
    .string()
    .trim()
    .regex(/^[^\0]{1,64}$/, 'expected part of a request or task ID, a caller ID, an error code or a method')
    .optional(),
  range: z.enum(callRanges).optional(),
  /** Local times in `zone`, start inclusive, end exclusive. They override `range`. */
  from: local.optional(),
  to: local.optional(),
  /** IANA time zone, such as Europe/Rome. */
  zone: z.string().max(MAX_ZONE_LENGTH).refine(isZone, 'expected a time zone such as Europe/Rome').optional(),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_CALL_PAGE_SIZE).optional(),
});
export type CallQuery = z.infer<typeof callQuerySchema>;

function isZone(name: string): boolean {
  try {
    return /^[A-Za-z][\w/+-]*$/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** A page of an agent's call log. `total` and `failed` count the matching calls on all pages. */
export const callPageSchema = z.object({
  items: z.array(loggedCallSchema).describe('Newest first'),
  total: z.int(),
  failed: z.int(),
  missing: z
    .int()
    .describe(
      'Further calls in the hours of this period, whatever the other filters: counted in the overview, but not in the log, which is a sample while a node gets more than 5,000 calls per second',
    ),
  choices: z.object({ methods: z.array(z.string()), codes: z.array(z.string()) }).describe('Values to filter by'),
  nextCursor: z.string().nullable(),
});
export type CallPage = z.infer<typeof callPageSchema>;

/**
 * Aggregates of calls. Durations are those of successful calls; null if there are none. `people` counts distinct
 * callers.
 */
const statsSumsSchema = z.object({
  calls: z.int(),
  failed: z.int(),
  people: z.int(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});

/** One hour or day. */
const statsPointSchema = statsSumsSchema.extend({
  start: z.string().describe('Local time in the requested zone, such as 2026-11-22T04:00'),
});
export type StatsPoint = z.infer<typeof statsPointSchema>;

/** Response of `GET /api/agents/{slug}/stats`. */
export const agentStatsSchema = z.object({
  by: z.enum(['hour', 'day']),
  zone: z.string(),
  from: z.string(),
  to: z.string(),
  total: statsSumsSchema,
  points: z.array(statsPointSchema),
});
export type AgentStats = z.infer<typeof agentStatsSchema>;

/** An undelivered push notification. */
export const undeliveredPushSchema = z.object({
  id: z.string().describe('The same ID as in the `Parley-Delivery` header of its attempts'),
  taskId: z.string(),
  /** The task event that the push contained. */
  seq: z.int(),
  url: z.string(),
  reason: z.string(),
  /** Status of the receiver's last response, if any. */
  httpStatus: z.int().nullable(),
  attempts: z.int(),
  at: time,
  answer: z.string().describe('The beginning of the last response of the webhook'),
});
export type UndeliveredPush = z.infer<typeof undeliveredPushSchema>;

/** An item of `GET /api/push/dead-letters`. */
export const deadLetterSchema = undeliveredPushSchema.extend({ configId: z.string() });

/** A push notification configuration whose last delivery failed. */
const failingReceiverSchema = z.object({
  taskId: z.string(),
  configId: z.string(),
  url: z.string(),
  attempts: z.int(),
  failingSince: time,
  nextTry: time,
  httpStatus: z.int().nullable(),
  answer: z.string(),
});
export type FailingReceiver = z.infer<typeof failingReceiverSchema>;

/** Response of `GET /api/push/deliveries`. */
export const pushOverviewSchema = z.object({
  failing: z.array(failingReceiverSchema),
  undelivered: z.array(undeliveredPushSchema),
});
export type PushOverview = z.infer<typeof pushOverviewSchema>;

/** Body of `POST /api/push/dead-letters/recover`: start inclusive, end exclusive, ISO 8601. */
export const recoveryInputSchema = z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() });

/** Body of `POST /api/agents/{slug}/runs`. */
export const runInputSchema = z.strictObject({
  /** The call to replay; absent for a test. */
  replayOf: z
    .string()
    .regex(/^call_[0-9a-z]{1,40}$/, 'expected the ID of a call')
    .optional(),
});
export type RunInput = z.infer<typeof runInputSchema>;

/** A prepared call from the console. */
export const testRunViewSchema = z.object({
  requestId: z.string().describe('Send it as `X-Request-Id`'),
  parts: z
    .array(z.object({ text: z.string() }))
    .nullable()
    .describe('The message to send again'),
  /** The `sub` of the caller's token for this agent. */
  caller: z.string(),
});
export type TestRunView = z.infer<typeof testRunViewSchema>;

/** The results of a call from the console. */
export const runResultSchema = z.object({
  calls: z.array(callDetailSchema),
  introspections: z.array(z.object({ at: time, active: z.boolean() })),
  hasApp: z.boolean().describe('False if the agent has no developer app, so it cannot introspect tokens'),
});
export type RunResult = z.infer<typeof runResultSchema>;
