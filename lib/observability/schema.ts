/** What the audit log tells of. */
export type AuditEvent =
  | 'session.started'
  | 'session.ended'
  | 'password.changed'
  | 'password.reset'
  | 'token.created'
  | 'token.revoked'
  | 'device.allowed'
  | 'device.denied'
  | 'grant.set'
  | 'grant.removed'
  | 'app.created'
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
  | 'merchant.changed'
  | 'payment.approved'
  | 'payment.declined'
  | 'payment.limit';

/** One half of an exchange, as its owner sees it: secrets are masked, long bodies cut. */
export interface LoggedMessage {
  headers: Record<string, string>;
  body: string;
}

/** What went between Parley and an agent in one call. */
export interface LoggedExchange {
  request: LoggedMessage & { method: string; url: string };
  /** Null when no answer came. */
  answer: (LoggedMessage & { status: number }) | null;
}

/** How a call of an agent failed. */
export interface CallFailure {
  code: string;
  message: string;
}

/** A failure with what went between Parley and the agent. */
export interface LoggedFailure extends CallFailure {
  wire: LoggedExchange | null;
}

/** Who made a call: somebody of the team from the console, to test or to repeat a call that failed; else people. */
export const callOrigins = ['people', 'test', 'replay'] as const;
export type CallOrigin = (typeof callOrigins)[number];

/** Which calls of an agent are meant; a member that is absent leaves nothing out. */
export interface CallFilter {
  status?: 'ok' | 'failed';
  /** Kind of failure: our code. */
  code?: string;
  method?: string;
  caller?: string;
  origin?: CallOrigin;
  /** Part of the request id. */
  q?: string;
  /** From this moment on, and up to and without that one. */
  from?: Date;
  to?: Date;
}
