import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { requireSession } from '../policy';
import { NOTICE_KINDS, type NoticeKind } from '../schema';
import { upsertNoticeChoice } from '../store/notice-choices';
import { isFixed } from './policy';

/**
 * Says which kinds of mail the person wants; kinds that are not named stay as they are.
 * @throws {ParleyError} `unauthenticated`; `invalid_request` for a kind that cannot be switched off
 */
export async function chooseNotices({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: Partial<Record<NoticeKind, boolean>>;
}): Promise<void> {
  const { userId } = requireSession(ctx.actor);
  for (const kind of NOTICE_KINDS) {
    if (input[kind] === false && isFixed(kind)) throw cannotEnd(kind);
  }
  for (const kind of NOTICE_KINDS) {
    const wanted = input[kind];
    if (wanted !== undefined && !isFixed(kind)) await upsertNoticeChoice({ userId, kind, wanted }, ctx.now);
  }
}

function cannotEnd(kind: NoticeKind): ParleyError {
  const message = 'found false; mails of this kind cannot be switched off, so leave it out';
  return new ParleyError('invalid_request', `/${kind}: ${message}`, {
    data: { faults: [{ pointer: `/${kind}`, message }] },
  });
}
