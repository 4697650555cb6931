import { z } from 'zod';
import { findAgentById } from '../catalog';
import { authorize, describeUserAgent } from '../identity';
import { type AuditRecord, listAudit } from '../observability';
import type { Call } from '../platform/context';
import { defineCursor, unknownCursor } from '../platform/db/cursor';
import { ACTIVITY_PAGE_SIZE } from './limits';
import type { ActivityPage, ActivityTopic, ActivityView } from './schema';

const activityCursor = defineCursor({
  list: 'activity',
  position: z.object({ seq: z.int().positive() }),
  refuse: unknownCursor,
});

/** The first parts of the events of each topic. */
const eventsOfTopic: Record<ActivityTopic, string[]> = {
  'sign-in': ['session', 'password', 'token', 'device', 'guard', 'recovery'],
  permissions: ['grant', 'connection'],
  agents: ['agent', 'app', 'secret', 'team', 'merchant'],
  payments: ['payment', 'passkey'],
  moderation: ['moderation', 'client'],
  data: ['account'],
};

/**
 * The audit log of the user's account or of one topic of it, newest first. `cursor` is the `nextCursor` of the previous page.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for an invalid cursor
 */
export async function listActivity({
  ctx,
  input,
}: Call<{ cursor?: string | null; topic?: ActivityTopic | undefined }>): Promise<ActivityPage> {
  const { userId } = authorize(ctx.actor, 'session');
  const before = input.cursor ? activityCursor.decode(input.cursor).seq : null;
  const objects = input.topic ? eventsOfTopic[input.topic] : null;
  const found = await listAudit(userId, { before, objects, limit: ACTIVITY_PAGE_SIZE + 1 });
  const { rows, nextCursor } = activityCursor.pageOf(found, ACTIVITY_PAGE_SIZE);
  return { items: await Promise.all(rows.map(toActivityView)), nextCursor };
}

/** An audit log entry as shown to the user it concerns. */
export async function toActivityView(entry: AuditRecord): Promise<ActivityView> {
  const { seq, at, event, object, detail, actor, address, userAgent } = entry;
  const agent = object.startsWith('agt_') ? await findAgentById(object) : null;
  return {
    id: seq,
    at: at.toISOString(),
    event,
    object,
    agent: agent && { slug: agent.slug, name: agent.name },
    detail,
    by: actor,
    place: address === null ? null : { device: describeUserAgent(userAgent ?? ''), address },
  };
}
