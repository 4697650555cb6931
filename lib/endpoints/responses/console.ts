import { z } from 'zod';
import { memberRoleSchema, teamRoles } from '../../catalog/schema';
import type { InvitationView, TeamView } from '../../catalog/schema-team';
import type {
  AgentStats,
  CallDetail,
  CallPage,
  ChecklistItem,
  LoggedCall,
  PublishChecklist,
  PushOverview,
  RunResult,
  TestRunView,
} from '../../console/schema';
import type { PushReceiver } from '../../gateway/schema';
import { callOrigins, loggedExchangeSchema } from '../../observability/schema';
import { agentName, time } from '../../platform/schema';

export const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  createdAt: time,
  expiresAt: time,
});

export const newInvitation: z.ZodType<InvitationView & { url: string }> = invitation.extend({ url: z.string() });

export const teamView: z.ZodType<TeamView> = z.object({
  role: z.enum(teamRoles).describe('Of who asks'),
  members: z.array(
    z.object({
      id: z.string().nullable().describe('Null for the owner'),
      name: z.string(),
      email: z.string(),
      role: z.enum(teamRoles),
      since: time,
      you: z.boolean(),
    }),
  ),
  invitations: z.array(invitation).describe('For its owner alone'),
});

const call = z.object({
  id: z.string(),
  at: time,
  ms: z.number().describe('Until its answer was over'),
  method: z.string().describe('Empty when the agent was not called'),
  dialect: z.string(),
  requestId: z.string(),
  caller: z.string().describe('The `sub` of their token; empty when it is not known'),
  origin: z.enum(callOrigins),
  replayOf: z.string().nullable(),
  hasWire: z.boolean(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const loggedCall: z.ZodType<LoggedCall> = call;

export const callDetail: z.ZodType<CallDetail> = call.extend({ wire: loggedExchangeSchema.nullable() });

export const callPage: z.ZodType<CallPage> = z.object({
  items: z.array(loggedCall).describe('Newest first'),
  total: z.int(),
  failed: z.int(),
  choices: z.object({ methods: z.array(z.string()), codes: z.array(z.string()) }).describe('To filter by'),
  nextCursor: z.string().nullable(),
});

const sums = z.object({
  calls: z.int(),
  failed: z.int(),
  people: z.int(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});

export const agentStats: z.ZodType<AgentStats> = z.object({
  by: z.enum(['hour', 'day']),
  zone: z.string(),
  from: z.string(),
  to: z.string(),
  total: sums,
  points: z.array(sums.extend({ start: z.string().describe("The zone's wall clock: 2026-11-22T04:00") })),
});

export const consoleRun: z.ZodType<TestRunView> = z.object({
  requestId: z.string().describe('To be sent as `X-Request-Id`'),
  parts: z
    .array(z.object({ text: z.string() }))
    .nullable()
    .describe('What is to be said again'),
  caller: z.string(),
});

export const runResult: z.ZodType<RunResult> = z.object({
  calls: z.array(callDetail),
  introspections: z.array(z.object({ at: time, active: z.boolean() })),
  hasApp: z.boolean().describe('False: the agent has no app to ask with'),
});

export const checklist: z.ZodType<PublishChecklist> = z.object({
  items: z.array(
    z.object({
      id: z.string() as z.ZodType<ChecklistItem['id']>,
      done: z.boolean(),
      detail: z.string().nullable(),
    }),
  ),
  notInSearch: z.enum(['withdrawn', 'suspended', 'unlisted', 'private']).nullable(),
});

export const undelivered = z.object({
  id: z.string().describe('The same as in the `Parley-Delivery` header of its attempts'),
  taskId: z.string(),
  seq: z.int(),
  url: z.string(),
  reason: z.string(),
  httpStatus: z.int().nullable(),
  attempts: z.int(),
  at: time,
  answer: z.string().describe("How the receiver's last answer began"),
});

export const deadLetter = undelivered.extend({ configId: z.string() });

export const pushOverview: z.ZodType<PushOverview> = z.object({
  failing: z.array(
    z.object({
      taskId: z.string(),
      configId: z.string(),
      url: z.string(),
      attempts: z.int(),
      failingSince: time,
      nextTry: time,
      httpStatus: z.int().nullable(),
      answer: z.string(),
    }),
  ),
  undelivered: z.array(undelivered),
});

export const resendResult = z.union([
  z.object({ taken: z.literal(true) }),
  z.object({ taken: z.literal(false), httpStatus: z.int().nullable(), answer: z.string() }),
]);

export const recoveryResult = z.object({ taken: z.int(), failed: z.int(), more: z.boolean() });

export const pushReceiver: z.ZodType<PushReceiver> = z.object({
  id: z.string(),
  host: z.string().describe('Host and port of its URL; the path may be a secret'),
  taskId: z.string(),
  agent: agentName.nullable(),
  credential: z
    .object({
      kind: z.enum(['session', 'access-token', 'device', 'agent', 'unknown']),
      name: z.string().nullable().describe('Of the token, or of the agent that acts for you'),
    })
    .describe('What it was set with, and what it ends with'),
  createdAt: time,
  isOver: z.boolean().describe('Everything was sent and nothing is to come'),
});
