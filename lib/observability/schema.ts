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
export interface WireHalf {
  headers: Record<string, string>;
  body: string;
}

/** What went between Parley and an agent in one call. */
export interface Wire {
  request: WireHalf & { method: string; url: string };
  /** Null when no answer came. */
  answer: (WireHalf & { status: number }) | null;
}

/** How a call of an agent failed. */
export interface CallFailure {
  code: string;
  message: string;
  wire: Wire | null;
}
