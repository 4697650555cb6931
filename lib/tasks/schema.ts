import { z } from 'zod';
import { agentName, time } from '../platform/schema';
import type { TaskState } from '../protocol/a2a/core/model';
import { credentialViewSchema } from '../tokens/schema';

export const taskStateSchema: z.ZodType<TaskState> = z.enum([
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
]);

const bytes = z.int().describe('Size in bytes');
const ms = z.number().describe('Milliseconds');
const headers = z.record(z.string(), z.string());

/** One event of an agent's stream. `ms` is the time since the request. */
const httpExchangeEventSchema = z.object({ ms, bytes, text: z.string() });
export type HttpExchangeEvent = z.infer<typeof httpExchangeEventSchema>;

/** One request of Parley to an agent, and its whole response. Secrets are redacted, and long texts are truncated. */
export const httpExchangeSchema = z.object({
  at: time,
  ms,
  /** The A2A method, the protocol version and the binding. */
  method: z.string(),
  dialect: z.string(),
  requestId: z.string(),
  request: z.object({ method: z.string(), url: z.string(), headers, body: z.string(), bytes }),
  /** Null if there was no response. */
  answer: z
    .object({
      status: z.int(),
      headers,
      bytes,
      events: z.array(httpExchangeEventSchema),
      moreEvents: z.int(),
    })
    .nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type HttpExchange = z.infer<typeof httpExchangeSchema>;

/** A webhook of one of the user's tasks, without its secrets. */
export const pushReceiverSchema = z.object({
  id: z.string(),
  host: z.string().describe('Host and port of the URL; the path may be secret'),
  taskId: z.string(),
  agent: agentName.nullable(),
  credential: credentialViewSchema.describe('The credential that set the webhook; the webhook is deleted with it'),
  createdAt: time,
  isOver: z.boolean().describe('All updates were delivered and no more will follow'),
  lastStatus: z.int().nullable().describe('HTTP status of its last response'),
  failing: z
    .object({ attempts: z.int(), since: time })
    .nullable()
    .describe('Failed attempts of the next delivery; null unless the last one failed'),
});
export type PushReceiver = z.infer<typeof pushReceiverSchema>;

/** The outcome of a resend: accepted, or the webhook's response. */
export const resendResultSchema = z.union([
  z.object({ taken: z.literal(true) }),
  z.object({ taken: z.literal(false), httpStatus: z.int().nullable(), answer: z.string() }),
]);
export type ResendResult = z.infer<typeof resendResultSchema>;

/** The number of accepted pushes of a period. `more` is true if the period has more pushes than were resent. */
export const recoveryResultSchema = z.object({ taken: z.int(), failed: z.int(), more: z.boolean() });
export type RecoveryResult = z.infer<typeof recoveryResultSchema>;
