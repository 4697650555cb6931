import { findAgentById } from '../catalog';
import { describeUserAgent } from '../identity';
import { type AuditRecord, listAudit } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { requireSession } from './authorization';
import { ACTIVITY_PAGE_SIZE } from './limits';
import type { ActivityPage, ActivityView } from './schema';

/**
 * The audit log of the user's account, newest first. `cursor` is the `nextCursor` of the previous page.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for an invalid cursor
 */
export async function listActivity({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { cursor?: string | null };
}): Promise<ActivityPage> {
  const { userId } = requireSession(ctx);
  const before = input.cursor ? decodeCursor(input.cursor) : null;
  const found = await listAudit(userId, { before, limit: ACTIVITY_PAGE_SIZE + 1 });
  const items = await Promise.all(found.slice(0, ACTIVITY_PAGE_SIZE).map(toActivityView));
  const last = items.at(-1);
  return { items, nextCursor: found.length > ACTIVITY_PAGE_SIZE && last ? String(last.id) : null };
}

function decodeCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const message = `cursor: found "${text.slice(0, 40)}"; expected one that was answered here. Leave it out to begin anew.`;
  throw new ParleyError('invalid_request', message);
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
