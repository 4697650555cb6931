import type { Ctx } from '../../platform/context';
import { requireSession } from '../policy';
import { NOTICE_KINDS, type NoticeChoice } from '../schema';
import { selectNoticeChoices } from '../store/notice-choices';
import { isFixed, isWanted } from './policy';

/** Every kind of mail, and whether the person gets it. */
export async function listNoticeChoices({ ctx }: { ctx: Ctx }): Promise<NoticeChoice[]> {
  const { userId } = requireSession(ctx.actor);
  const chosen = await selectNoticeChoices(userId);
  return NOTICE_KINDS.map((kind) => ({ kind, wanted: isWanted(kind, chosen), fixed: isFixed(kind) }));
}
