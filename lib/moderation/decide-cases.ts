import { findAgentById } from '../catalog';
import { listChatUsers } from '../chat';
import { findUser, requireAdmin } from '../identity';
import { appendAudit, moderationDecided } from '../observability';
import type { Ctx } from '../platform/context';
import { asParleyError } from '../platform/errors';
import type { Tx } from '../platform/tx';
import { inTransaction } from '../platform/tx';
import { caseNotFound, invalidCaseState } from './errors';
import { transitionOf } from './policy';
import type { CaseState, DecisionInput, DecisionResult } from './schema';
import { type CaseRecord, moveCase, selectCase } from './store/cases';
import { queueNotifications, type RecipientRole, selectReporters } from './store/notifications';
import { removeTarget, restoreTarget } from './target';

/**
 * Decides about cases, each by itself: one that is not in a state for it is told and keeps nobody from the others. What is
 * taken down is gone on every node as soon as that holds; its owner, who reported it and, of an agent, who talked to it within
 * the last month get a mail.
 * @throws {ParleyError} `not_found` for all but moderators, `sign_in_again`
 */
export async function decideCases({ ctx, input }: { ctx: Ctx; input: DecisionInput }): Promise<DecisionResult> {
  const { userId } = await requireAdmin({ ctx });
  const items: DecisionResult['items'] = [];
  for (const id of new Set(input.ids)) {
    try {
      items.push({ id, state: await decide(ctx, { ...input, id, userId }), problem: null });
    } catch (error) {
      const known = asParleyError(error);
      if (!known) throw error;
      items.push({ id, state: null, problem: known.message });
    }
  }
  return { items };
}

type OneDecision = Omit<DecisionInput, 'ids'> & { id: string; userId: string };

async function decide(ctx: Ctx, decision: OneDecision): Promise<CaseState> {
  const found = await selectCase(decision.id);
  if (!found) throw caseNotFound();
  const { from, to } = transitionOf(decision.decision);
  if (!from.includes(found.state)) throw invalidCaseState(found.state);
  const ownerId = await ownerOf(found);
  const users = found.kind === 'agent' && to !== 'dismissed' ? await listChatUsers(found.targetId, ctx.now) : [];
  const write = (tx: Tx, prior: string): Promise<void> =>
    writeDecision(ctx, tx, { found: { ...found, ownerId }, decision, prior, users });
  if (to === 'removed') await removeTarget({ ctx, found, afterUpdate: write });
  else if (to === 'restored') await restoreTarget({ ctx, found, afterUpdate: write });
  else await inTransaction((tx) => write(tx, ''));
  return to;
}

/** Who answers for the target now: an agent may have another owner than when it was reported. */
async function ownerOf({ kind, targetId, ownerId }: CaseRecord): Promise<string | null> {
  if (kind !== 'agent') return ownerId;
  const agent = await findAgentById(targetId);
  const owner = agent && (await findUser(agent.ownerId));
  return owner?.id ?? null;
}

interface DecisionWrite {
  found: CaseRecord;
  decision: OneDecision;
  /** The state that the target had. */
  prior: string;
  /** Who talks to the agent. */
  users: string[];
}

async function writeDecision(ctx: Ctx, tx: Tx, { found, decision, prior, users }: DecisionWrite): Promise<void> {
  const { from, to } = transitionOf(decision.decision);
  const { id, userId, reason, statement } = decision;
  const why = to === 'removed' ? { reason, statement, prior } : {};
  const { ownerId } = found;
  const step = { from, to, changes: { ...why, ownerId, decidedAt: ctx.now }, note: statement, now: ctx.now };
  if (!(await moveCase(tx, id, { ...step, by: { role: 'moderator', userId } }))) throw invalidCaseState(found.state);
  await queueNotifications(tx, { caseId: id, state: to, now: ctx.now }, await recipientsOf(tx, { found, to, users }));
  await appendAudit(tx, moderationDecided(ctx, { userId, caseId: id, detail: reason ? `${to} ${reason}` : to }));
}

/** Who hears of it, the closest first: nobody gets two mails about one decision. */
async function recipientsOf(
  tx: Tx,
  { found, to, users }: { found: CaseRecord; to: CaseState; users: string[] },
): Promise<{ userId: string; role: RecipientRole }[]> {
  const owner = found.ownerId !== null && to !== 'dismissed' ? [found.ownerId] : [];
  const reporters = await selectReporters(tx, found.id);
  const notifiedUsers = to === 'upheld' ? [] : users;
  const withRole = (people: string[], role: RecipientRole): { userId: string; role: RecipientRole }[] =>
    people.map((userId) => ({ userId, role }));
  return [...withRole(owner, 'owner'), ...withRole(reporters, 'reporter'), ...withRole(notifiedUsers, 'user')];
}
