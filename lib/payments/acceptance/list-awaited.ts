import { z } from 'zod';
import { authorize } from '../../identity';
import type { Call } from '../../platform/context';
import { cursorText, cursorTime, defineCursor } from '../../platform/db/cursor';
import { MAX_APPROVAL_ID_LENGTH } from '../limits';
import type { AcceptanceRecord } from '../record';
import type { AwaitedResult, AwaitedResultFilter, AwaitedResultPage } from '../schema-disputes';
import { toAgentName } from '../sellers/agent-names';
import { findAwaited } from '../store/earnings/acceptance-rows';
import { toAcceptanceView } from './acceptance-rules';

const awaitedCursor = defineCursor({
  list: 'acceptances',
  position: z.object({ acceptBy: cursorTime, saleId: cursorText(MAX_APPROVAL_ID_LENGTH) }),
});

/**
 * Lists what the user paid and has neither accepted nor disputed, the next to be accepted by itself first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listAwaitedResults({ ctx, input }: Call<AwaitedResultFilter>): Promise<AwaitedResultPage> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const after = input.cursor === undefined ? null : awaitedCursor.decode(input.cursor);
  const found = await findAwaited(userId, { after, limit: input.limit + 1, now: ctx.now });
  const { rows, nextCursor } = awaitedCursor.pageOf(found, input.limit);
  return { items: await Promise.all(rows.map((row) => toAwaited(row, ctx.now))), nextCursor };
}

async function toAwaited(found: AcceptanceRecord, now: Date): Promise<AwaitedResult> {
  const { saleKind: kind, saleId, agentId, currency, gross, test } = found;
  const paid = { currency, minor: gross };
  return { kind, saleId, agent: await toAgentName(agentId), paid, test, acceptance: toAcceptanceView(found, now) };
}
