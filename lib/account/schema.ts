import type { AuditEvent } from '../observability/schema';

/** One audit log entry, for the user whom it concerns. Times are ISO 8601. */
export interface ActivityView {
  /** Sequence number in the log. */
  id: number;
  at: string;
  event: AuditEvent;
  /** The id of the object; empty if it is the account itself. */
  object: string;
  /** The agent with the id `object`, if it exists. */
  agent: { slug: string; name: string } | null;
  detail: string;
  /** The session, token or app that made the change; empty for a sign-in. */
  by: string;
  /** The client of a sign-in: the browser in words, and the network address. */
  place: { device: string; address: string } | null;
}

/** Response of `GET /api/account/activity`: newest first. */
export interface ActivityPage {
  items: ActivityView[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** The topics of the activity log. */
export const activityTopics = ['sign-in', 'permissions', 'agents', 'payments', 'moderation', 'data'] as const;
export type ActivityTopic = (typeof activityTopics)[number];
