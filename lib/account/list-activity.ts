import { listAudit } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { requireSession } from './policy';
import type { ActivityPage } from './schema';
import { toActivityView } from './to-wire';

const pageSize = 30;

/**
 * What the audit log tells of the person's account, newest first, thirty at a time. `cursor` is the `nextCursor` of the page
 * before.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for a cursor that is not ours
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
  const found = await listAudit(userId, { before, limit: pageSize + 1 });
  const items = await Promise.all(found.slice(0, pageSize).map(toActivityView));
  const last = items.at(-1);
  return { items, nextCursor: found.length > pageSize && last ? String(last.id) : null };
}

function decodeCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const message = `cursor: found "${text.slice(0, 40)}"; expected one that was answered here. Leave it out to begin anew.`;
  throw new ParleyError('invalid_request', message);
}
