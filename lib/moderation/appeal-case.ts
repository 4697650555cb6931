import { findAgent, findAgentById, requireVisible, roleOfPerson } from '../catalog';
import { appendAudit, moderationRequested } from '../observability';
import type { Ctx, UserActor } from '../platform/context';
import { inTransaction } from '../platform/tx';
import { appealNotAllowed, caseNotFound } from './errors';
import { requireSession } from './policy';
import type { OwnCase } from './schema';
import { type CaseRecord, moveCase, selectCase, selectCaseOf } from './store/cases';
import { toOwnCase } from './to-wire';

/**
 * Asks the moderators to look once more at what they took down; once for each removal.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found` also for who does not answer for it, `conflict`
 */
export async function appealCase({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { caseId: string; text: string };
}): Promise<OwnCase> {
  const person = requireSession(ctx.actor);
  const found = await ownCase(person, input.caseId);
  if (!mayAppeal(found)) throw appealNotAllowed();
  const { userId } = person;
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
 * What was decided about something that this person answers for.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function getOwnCase({ ctx, input }: { ctx: Ctx; input: { caseId: string } }): Promise<OwnCase> {
  const found = await ownCase(requireSession(ctx.actor), input.caseId);
  return toOwnCase(found, mayAppeal(found));
}

/**
 * The decision that keeps an agent down, for its team; null when there is none.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `gone`
 */
export async function findOwnCase({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<OwnCase | null> {
  const person = requireSession(ctx.actor);
  const agent = requireVisible(person, await findAgent(input.slug));
  const found = await selectCaseOf('agent', agent.id);
  return found && (await answersFor(person, found)) ? toOwnCase(found, mayAppeal(found)) : null;
}

async function ownCase(person: UserActor, caseId: string): Promise<CaseRecord> {
  const found = await selectCase(caseId);
  // A case that waits for its first decision, or came to nothing, is nobody's business but the moderators'.
  if (!found || found.decidedAt === null || found.state === 'dismissed' || !(await answersFor(person, found))) {
    throw caseNotFound();
  }
  return found;
}

async function answersFor({ userId }: UserActor, { kind, targetId, ownerId }: CaseRecord): Promise<boolean> {
  if (kind !== 'agent') return ownerId === userId;
  const agent = await findAgentById(targetId);
  return agent !== null && roleOfPerson(userId, agent) === 'owner';
}

function mayAppeal({ state, appealedAt }: CaseRecord): boolean {
  return state === 'removed' && appealedAt === null;
}
