import type { AuditEvent } from '../observability/schema';

/** One entry of the audit log as the person sees it whom it concerns. Times are ISO 8601. */
export interface ActivityView {
  /** Its number in the log. */
  id: number;
  at: string;
  event: AuditEvent;
  /** The id of what it was done to; empty when that goes without saying. */
  object: string;
  /** The agent that `object` is the id of, while it is known. */
  agent: { slug: string; name: string } | null;
  detail: string;
  /** By which session, token or app it was done; empty for a sign-in. */
  by: string;
  /** Where a sign-in came from: the browser in words, and the address. */
  place: { device: string; address: string } | null;
}

/** Answer of `GET /api/account/activity`: newest first. */
export interface ActivityPage {
  items: ActivityView[];
  /** Null on the last page. */
  nextCursor: string | null;
}
