import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import { selectAppealsBy, selectReportsBy } from './store/cases';

/**
 * The reports that a person made while signed in, for their export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnReports({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return selectReportsBy(requireSession(ctx.actor).userId);
}

/**
 * What a person wrote against decisions, for their export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnAppeals({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return selectAppealsBy(requireSession(ctx.actor).userId);
}
