import { z } from 'zod';
import type { CardState, CredentialView, OwnAgent, OwnershipView, PendingCard, SkillView } from '../catalog/schema';
import { type CallFailure, type CallOrigin, callOrigins, type LoggedExchange } from '../observability/schema';

/** A call of an agent, as its team sees it. */
export interface LoggedCall {
  id: string;
  at: string;
  /** Milliseconds until its answer was over. */
  ms: number;
  /** Method of the wire, such as `message/stream`; empty when the agent was not called. */
  method: string;
  /** Version and binding that the agent was called in. */
  dialect: string;
  requestId: string;
  /** Who called, as the agent knows them: the `sub` of their token; empty when that is not known. */
  caller: string;
  origin: CallOrigin;
  /** The call that it repeats. */
  replayOf: string | null;
  /** True when what went over the wire was kept: of calls that failed, and of those from the console. */
  hasWire: boolean;
  /** Why it failed; null when it went well. */
  failure: CallFailure | null;
}

/** One call with what went over the wire. */
export type CallDetail = LoggedCall & { wire: LoggedExchange | null };

/** Time spans that end now. */
const callRanges = ['1h', '24h', '7d'] as const;

const local = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}Z`)),
    'expected a time such as 2026-11-22T04:30',
  );

/** Which calls of a log are meant: the query of its page, of `GET /api/agents/{slug}/calls` and of `…/stats`. */
export const callQuerySchema = z.object({
  status: z.enum(['ok', 'failed']).optional(),
  /** Kind of failure. */
  code: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'expected a code such as agent_timeout')
    .optional(),
  method: z.string().min(1).max(100).optional(),
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
  /** From and up to (without) this time of `zone`; they count before `range`. */
  from: local.optional(),
  to: local.optional(),
  /** IANA name of the time zone that times are meant in, such as Europe/Rome. */
  zone: z.string().max(60).refine(isZone, 'expected a time zone such as Europe/Rome').optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});
export type CallQuery = z.infer<typeof callQuerySchema>;

function isZone(name: string): boolean {
  try {
    return /^[A-Za-z][\w/+-]*$/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** A page of the log of one agent. */
export interface CallPage {
  /** Newest first. */
  items: LoggedCall[];
  /** How many calls the filter finds on all pages, and how many of them failed. */
  total: number;
  failed: number;
  /** What the log holds that can be filtered by. */
  choices: { methods: string[]; codes: string[] };
  nextCursor: string | null;
}

/** What calls add up to. Times are of those that went well; null when there are none. */
export interface StatsSums {
  calls: number;
  failed: number;
  /** Distinct callers. */
  people: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** One hour or day; `start` is the zone's wall clock, such as `2026-11-22T04:00`. */
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
  /** The call that is to be repeated; absent for a test. */
  replayOf: z
    .string()
    .regex(/^call_[0-9a-z]{1,40}$/, 'expected the id of a call')
    .optional(),
});
export type RunInput = z.infer<typeof runInputSchema>;

/** A call from the console that may begin now. */
export interface TestRunView {
  /** To send as `X-Request-Id`. */
  requestId: string;
  /** What is to be said again; null for a test. */
  parts: { text: string }[] | null;
  /** Under which `sub` the agent knows who calls. */
  caller: string;
}

/** What became of a call from the console behind Parley. */
export interface RunResult {
  calls: CallDetail[];
  introspections: { at: string; active: boolean }[];
  /** False: no app is linked, so that the agent cannot ask. */
  hasApp: boolean;
}

/** A listing with how it has been doing. */
export interface AgentState {
  agent: OwnAgent;
  /** The latest failure, when there was one. */
  lastFailure: LoggedCall | null;
  /** A newer card needs the owner's word. */
  cardWaits: boolean;
}

/** Everything that the console shows of one agent. */
export interface AgentConsole {
  agent: OwnAgent;
  /** The latest failures, newest first. */
  failures: CallDetail[];
  /** Set while the card cannot be fetched or read. */
  failing: CardState['failing'];
  /** The card that needs the owner's word, when there is one. */
  review: PendingCard | null;
  /** What is stored for calls to it. */
  credential: CredentialView | null;
  /** The proof that its host is the person's; null once it is withdrawn. */
  ownership: OwnershipView | null;
  /** What its card says it can do, and what that costs; none once it is withdrawn. */
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
  /** What was found, where that helps: a reason, names of skills, or since when (ISO 8601). */
  detail: string | null;
}

/** `GET /api/agents/{slug}/checklist`. */
export interface PublishChecklist {
  items: ChecklistItem[];
  /** Why search does not show the agent; null when it does. */
  notInSearch: 'withdrawn' | 'suspended' | 'unlisted' | 'private' | null;
}

/** A push that nobody took, as the person sees it who asked for it. */
export interface UndeliveredPush {
  id: string;
  taskId: string;
  /** Which event of the task it told. */
  seq: number;
  url: string;
  reason: string;
  /** What the receiver answered with last, when it answered. */
  httpStatus: number | null;
  attempts: number;
  at: string;
  /** How the receiver's last answer began; empty when there was none. */
  answer: string;
}

/** A receiver of pushes that has not taken the last one yet. */
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

/** Body of `POST /api/push/dead-letters/recover`: from and up to (without) these moments, ISO 8601. */
export const recoveryInputSchema = z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() });
