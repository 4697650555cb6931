import { z } from 'zod';

/** The events of the audit log. */
export type AuditEvent =
  | 'session.started'
  | 'session.ended'
  | 'password.changed'
  | 'password.reset'
  | 'token.created'
  | 'token.revoked'
  | 'device.allowed'
  | 'device.denied'
  | 'connection.allowed'
  | 'connection.denied'
  | 'connection.reused'
  | 'connection.revoked'
  | 'grant.set'
  | 'grant.removed'
  | 'app.created'
  | 'app.changed'
  | 'client.blocked'
  | 'client.unblocked'
  | 'secret.created'
  | 'secret.ended'
  | 'secret.removed'
  | 'agent.listed'
  | 'agent.changed'
  | 'agent.withdrawn'
  | 'agent.suspended'
  | 'agent.restored'
  | 'moderation.reported'
  | 'moderation.decided'
  | 'moderation.appealed'
  | 'agent.transferred'
  | 'team.invited'
  | 'team.uninvited'
  | 'team.joined'
  | 'team.changed'
  | 'team.left'
  | 'account.exported'
  | 'account.deleted'
  | 'key.added'
  | 'key.removed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'guard.undone'
  | 'recovery.requested'
  | 'recovery.canceled'
  | 'recovery.completed'
  | 'merchant.changed'
  | 'fee.set'
  | 'tax.set'
  | 'x402.recorded'
  | 'payment.approved'
  | 'payment.declined'
  | 'payment.limit'
  | 'price.approved'
  | 'price.revoked'
  | 'sale.accepted'
  | 'standing.created'
  | 'standing.paused'
  | 'standing.resumed'
  | 'standing.revoked'
  | 'standing.stopped'
  | 'standing.allowed'
  | 'spending.limit'
  | 'spending.time_zone';

/** A request or a response with secrets redacted and a long body truncated. */
const loggedMessage = { headers: z.record(z.string(), z.string()), body: z.string() };

/** The HTTP exchange between Parley and an agent in one call. */
export const loggedExchangeSchema = z.object({
  request: z.object({ method: z.string(), url: z.string(), ...loggedMessage }),
  /** Null if there was no response. */
  answer: z.object({ status: z.int(), ...loggedMessage }).nullable(),
});
export type LoggedExchange = z.infer<typeof loggedExchangeSchema>;

/** Why a call to an agent failed. */
export interface CallFailure {
  code: string;
  message: string;
}

/** A failure with its HTTP exchange. */
export interface LoggedFailure extends CallFailure {
  exchange: LoggedExchange | null;
}

/** The origin of a call: a test or a replay from the console, or any other caller. */
export const callOrigins = ['people', 'test', 'replay'] as const;
export type CallOrigin = (typeof callOrigins)[number];

/** A filter of an agent's calls. An absent member is no restriction. */
export interface CallFilter {
  status?: 'ok' | 'failed';
  /** Parley's error code. */
  code?: string;
  method?: string;
  caller?: string;
  origin?: CallOrigin;
  /** A part of a request or task id, or a caller, an error code or a method. */
  q?: string;
  /** Start inclusive, end exclusive. */
  from?: Date;
  to?: Date;
}
