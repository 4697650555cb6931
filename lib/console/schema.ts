import { z } from 'zod';
import type { OwnAgent, SkillView } from '../catalog/schema';
import type { CardState, PendingCard } from '../catalog/schema-cards';
import type { CredentialView } from '../catalog/schema-credentials';
import type { OwnershipView } from '../catalog/schema-ownership';
import { type CallFailure, type CallOrigin, callOrigins, type LoggedExchange } from '../observability/schema';
import { MAX_CALL_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_METHOD_LENGTH, MAX_ZONE_LENGTH } from './limits';

/** A logged call to an agent, for its team. */
export interface LoggedCall {
  id: string;
  at: string;
  /** Milliseconds until the end of the response. */
  ms: number;
  /** Protocol method, such as `message/stream`; empty if the agent was not called. */
  method: string;
  /** A2A version and binding of the request. */
  dialect: string;
  requestId: string;
  /** The `sub` of the caller's token for this agent; empty if unknown. */
  caller: string;
  origin: CallOrigin;
  /** The call that this one replays. */
  replayOf: string | null;
  /** True if the HTTP exchange is stored: for failed calls and for calls from the console. */
  hasWire: boolean;
  /** Null if the call succeeded. */
  failure: CallFailure | null;
}

/** A call with its HTTP exchange. */
export type CallDetail = LoggedCall & { wire: LoggedExchange | null };

/** Time ranges that end now. */
const callRanges = ['1h', '24h', '7d'] as const;

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
    .regex(/^[\w-]{1,64}$/, 'expected the sub of a token')
    .optional(),
  origin: z.enum(callOrigins).optional(),
  /** Part of the request id. */
  q: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,64}$/, 'expected part of a request id')
    .optional(),
  range: z.enum(callRanges).optional(),
  /** Local times in `zone`, start inclusive, end exclusive; they override `range`. */
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

/** A page of an agent's call log. */
export interface CallPage {
  /** Newest first. */
  items: LoggedCall[];
  /** Matching calls on all pages, and how many of them failed. */
  total: number;
  failed: number;
  /** The values in the log to filter by. */
  choices: { methods: string[]; codes: string[] };
  nextCursor: string | null;
}

/** Aggregates of calls. Durations are those of successful calls; null without any. */
export interface StatsSums {
  calls: number;
  failed: number;
  /** Distinct callers. */
  people: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** One hour or day; `start` is local time in the zone, such as `2026-11-22T04:00`. */
export type StatsPoint = StatsSums & { start: string };

/** `GET /api/agents/{slug}/stats`. */
export interface AgentStats {
  by: 'hour' | 'day';
  zone: string;
  from: string;
  to: string;
  total: StatsSums;
  points: StatsPoint[];
}

/** Body of `POST /api/agents/{slug}/runs`. */
export const runInputSchema = z.strictObject({
  /** The call to replay; absent for a test. */
  replayOf: z
    .string()
    .regex(/^call_[0-9a-z]{1,40}$/, 'expected the id of a call')
    .optional(),
});
export type RunInput = z.infer<typeof runInputSchema>;

/** A prepared call from the console. */
export interface TestRunView {
  /** The `X-Request-Id` to send. */
  requestId: string;
  /** The message parts to replay; null for a test. */
  parts: { text: string }[] | null;
  /** The `sub` of the caller's token for this agent. */
  caller: string;
}

/** The results of a call from the console. */
export interface RunResult {
  calls: CallDetail[];
  introspections: { at: string; active: boolean }[];
  /** False if no app is linked, so that the agent cannot introspect tokens. */
  hasApp: boolean;
}

/** An agent with its current problems. */
export interface AgentState {
  agent: OwnAgent;
  /** The latest failure, if any. */
  lastFailure: LoggedCall | null;
  /** A newer card awaits the owner's approval. */
  cardWaits: boolean;
}

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
  /** Proof of host ownership; null once the agent is withdrawn. */
  ownership: OwnershipView | null;
  /** Its skills with prices; empty once the agent is withdrawn. */
  skills: SkillView[];
}

/** Parts of a complete listing. */
export interface ChecklistItem {
  id:
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
  done: boolean;
  /** Details where useful: a reason, names of skills, or a time (ISO 8601). */
  detail: string | null;
}

/** `GET /api/agents/{slug}/checklist`. */
export interface PublishChecklist {
  items: ChecklistItem[];
  /** Why search excludes the agent; null if it does not. */
  notInSearch: 'withdrawn' | 'suspended' | 'unlisted' | 'private' | null;
}

/** An undelivered push notification. */
export interface UndeliveredPush {
  id: string;
  taskId: string;
  /** The task event that it carried. */
  seq: number;
  url: string;
  reason: string;
  /** Status of the receiver's last response, if any. */
  httpStatus: number | null;
  attempts: number;
  at: string;
  /** Beginning of the receiver's last response body; may be empty. */
  answer: string;
}

/** A push notification config whose last delivery failed. */
export interface PushReceiver {
  taskId: string;
  configId: string;
  url: string;
  attempts: number;
  failingSince: string;
  nextTry: string;
  httpStatus: number | null;
  answer: string;
}

/** `GET /api/push/deliveries`. */
export interface PushOverview {
  failing: PushReceiver[];
  undelivered: UndeliveredPush[];
}

/** Body of `POST /api/push/dead-letters/recover`: start inclusive, end exclusive, ISO 8601. */
export const recoveryInputSchema = z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() });
