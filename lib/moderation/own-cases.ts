import { findAgent, findAgentById, requireVisible, roleOfPerson } from '../catalog';
import { authorize } from '../identity';
import { appendAudit, moderationRequested } from '../observability';
import type { Call, Ctx, UserActor } from '../platform/context';
import { inTransaction } from '../platform/db/tx';
import { ParleyError } from '../platform/errors';
import { caseNotFound, toAppeal } from './case-queue';
import type { OwnCase } from './schema';
import { moveCase, selectReportsBy } from './store/case-changes';
import { type CaseRecord, selectAppealsBy, selectCase, selectCaseOf } from './store/cases';

/**
 * Appeals against a removal, once per removal.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `conflict`; `not_found` (also for users who do not own the
 *   target)
 */
export async function appealCase({ ctx, input }: Call<{ caseId: string; text: string }>): Promise<OwnCase> {
  const user = authorize(ctx.actor, 'session');
  const found = await ownCase(user, input.caseId);
  if (!mayAppeal(found)) throw appealNotAllowed();
  const { userId } = user;
  const changes = { appeal: input.text, appealedAt: ctx.now };
  await inTransaction(async (tx) => {
    const by = { role: 'owner' as const, userId };
    const step = { from: ['removed' as const], to: 'appealed' as const, changes, by, note: input.text, now: ctx.now };
    if (!(await moveCase(tx, found.id, step))) throw appealNotAllowed();
    await appendAudit(tx, moderationRequested(ctx, { userId, caseId: found.id, what: 'appealed' }));
  });
  return getOwnCase({ ctx, input });
}

/**
 * Returns a decided case about a target that the user owns.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function getOwnCase({ ctx, input }: Call<{ caseId: string }>): Promise<OwnCase> {
  return toOwnCase(await ownCase(authorize(ctx.actor, 'session'), input.caseId));
}

/**
 * Returns the case by which an agent is currently removed, for its owner; null if there is none.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `gone`
 */
export async function findOwnCase({ ctx, input }: Call<{ slug: string }>): Promise<OwnCase | null> {
  const user = authorize(ctx.actor, 'session');
  const agent = requireVisible(user, await findAgent(input.slug));
  const found = await selectCaseOf('agent', agent.id);
  return found && (await isOwner(user, found)) ? toOwnCase(found) : null;
}

/**
 * Returns the reports that the user made while signed in, for the account export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnReports({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return selectReportsBy(authorize(ctx.actor, 'session').userId);
}

/**
 * Returns the user's appeals, for the account export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnAppeals({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return selectAppealsBy(authorize(ctx.actor, 'session').userId);
}

async function ownCase(user: UserActor, caseId: string): Promise<CaseRecord> {
  const found = await selectCase(caseId);
  // Undecided and dismissed cases are visible only to moderators.
  if (!found || found.decidedAt === null || found.state === 'dismissed' || !(await isOwner(user, found))) {
    throw caseNotFound();
  }
  return found;
}

async function isOwner({ userId }: UserActor, { kind, targetId, ownerId }: CaseRecord): Promise<boolean> {
  if (kind !== 'agent') return ownerId === userId;
  const agent = await findAgentById(targetId);
  return agent !== null && roleOfPerson(userId, agent) === 'owner';
}

function mayAppeal({ state, appealedAt }: CaseRecord): boolean {
  return state === 'removed' && appealedAt === null;
}

function appealNotAllowed(): ParleyError {
  const text =
    'This decision cannot be appealed. Each takedown can be appealed once, and the decision on the appeal is final.';
  return new ParleyError('conflict', text);
}

function toOwnCase(found: CaseRecord): OwnCase {
  const { id, kind, title, state, reason, statement, decidedAt } = found;
  return {
    id,
    kind,
    title,
    state,
    reason,
    statement: statement ?? '',
    decidedAt: decidedAt?.toISOString() ?? null,
    appeal: toAppeal(found),
    mayAppeal: mayAppeal(found),
  };
}
