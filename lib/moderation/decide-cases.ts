import { findAgentById, restoreAgent, suspendAgent } from '../catalog';
import type { AgentStatus } from '../catalog/schema';
import { listChatUsers, setExampleHidden, setShareDisabled } from '../chat';
import { findUser, notifyPerson, requireAdmin } from '../identity';
import { appendAudit, moderationDecided } from '../observability';
import type { Call, Ctx } from '../platform/context';
import { inTransaction, type Tx } from '../platform/db/tx';
import { ParleyError } from '../platform/errors';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import { setReviewHidden } from '../reviews';
import type { MailText, Translation } from '../texts/sent-texts';
import { caseNotFound } from './case-queue';
import { DECISION_EMAIL_BATCH_SIZE } from './limits';
import type { CaseState, Decision, DecisionInput, DecisionResult, TargetKind } from './schema';
import { moveCase } from './store/case-changes';
import {
  type CaseRecord,
  claimNotifications,
  type DecisionNotification,
  deleteNotification,
  queueNotifications,
  type RecipientRole,
  selectCase,
  selectReporters,
} from './store/cases';

/**
 * Decides cases independently: a case in the wrong state results in an error entry, and the others are decided. A
 * removal takes effect on every node when it is committed. The owner, the reporters and, for an agent, its recent chat
 * users are emailed.
 * @throws {ParleyError} `not_found` for non-moderators, `sign_in_again`
 */
export async function decideCases({ ctx, input }: Call<DecisionInput>): Promise<DecisionResult> {
  const { userId } = await requireAdmin({ ctx });
  const items: DecisionResult['items'] = [];
  for (const id of new Set(input.ids)) {
    try {
      items.push({ id, state: await decide(ctx, { ...input, id, userId }), problem: null });
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      items.push({ id, state: null, problem: error.message });
    }
  }
  return { items };
}

/** The state transition of each decision. */
const transitions: Record<Decision, { from: CaseState[]; to: CaseState }> = {
  dismiss: { from: ['open'], to: 'dismissed' },
  remove: { from: ['open'], to: 'removed' },
  // A moderator may revert a mistake without an appeal.
  restore: { from: ['removed', 'appealed', 'upheld'], to: 'restored' },
  uphold: { from: ['appealed'], to: 'upheld' },
};

type OneDecision = Omit<DecisionInput, 'ids'> & { id: string; userId: string };

async function decide(ctx: Ctx, decision: OneDecision): Promise<CaseState> {
  const found = await selectCase(decision.id);
  if (!found) throw caseNotFound();
  const { from, to } = transitions[decision.decision];
  if (!from.includes(found.state)) throw invalidCaseState(found.state);
  const ownerId = await ownerOf(found);
  const users = found.kind === 'agent' && to !== 'dismissed' ? await listChatUsers(found.targetId, ctx.now) : [];
  const write = (tx: Tx, priorState: string): Promise<void> =>
    writeDecision(ctx, tx, { found: { ...found, ownerId }, decision, priorState, users });
  if (to === 'removed') await removeTarget({ ctx, found, afterUpdate: write });
  else if (to === 'restored') await restoreTarget({ ctx, found, afterUpdate: write });
  else await inTransaction((tx) => write(tx, ''));
  return to;
}

/** Returns the target's current owner, because an agent may have been transferred since it was reported. */
async function ownerOf({ kind, targetId, ownerId }: CaseRecord): Promise<string | null> {
  if (kind !== 'agent') return ownerId;
  const agent = await findAgentById(targetId);
  const owner = agent && (await findUser(agent.ownerId));
  return owner?.id ?? null;
}

interface TargetChange {
  ctx: Ctx;
  found: CaseRecord;
  /** Runs in the same transaction, with the target's previous state. */
  afterUpdate: (tx: Tx, priorState: string) => Promise<void>;
}

type Target = Pick<CaseRecord, 'targetId' | 'ownerId'>;

/** Hides a target as of `since`; null makes it visible again. */
const setHidden: Record<
  Exclude<TargetKind, 'agent'>,
  (tx: Tx, target: Target, since: Date | null) => Promise<unknown>
> = {
  review: (tx, { targetId }, since) => setReviewHidden(tx, targetId, since),
  // The links of a deleted account are erased.
  share: async (tx, { targetId: id, ownerId }, since) =>
    ownerId === null ? undefined : setShareDisabled(tx, { userId: ownerId, id }, since),
  example: (tx, { targetId }, since) => setExampleHidden(tx, targetId, since),
};

/** Removes the target of a case from public view. */
async function removeTarget({ ctx, found, afterUpdate }: TargetChange): Promise<void> {
  const { kind, targetId } = found;
  if (kind === 'agent') return suspendAgent({ ctx, input: { agentId: targetId }, afterUpdate });
  await inTransaction(async (tx) => {
    await setHidden[kind](tx, found, ctx.now);
    await afterUpdate(tx, 'shown');
  });
}

/** Restores the target of a case to its previous state. */
async function restoreTarget({ ctx, found, afterUpdate }: TargetChange): Promise<void> {
  const { kind, targetId, priorState } = found;
  if (kind === 'agent') {
    const status = (priorState ?? 'active') as AgentStatus;
    return restoreAgent({ ctx, input: { agentId: targetId, status }, afterUpdate });
  }
  await inTransaction(async (tx) => {
    await setHidden[kind](tx, found, null);
    await afterUpdate(tx, 'hidden');
  });
}

interface DecisionWrite {
  found: CaseRecord;
  decision: OneDecision;
  /** The target's state before the decision. */
  priorState: string;
  /** Ids of the agent's recent chat users. */
  users: string[];
}

async function writeDecision(ctx: Ctx, tx: Tx, { found, decision, priorState, users }: DecisionWrite): Promise<void> {
  const { from, to } = transitions[decision.decision];
  const { id, userId, reason, statement } = decision;
  const why = to === 'removed' ? { reason, statement, priorState } : {};
  const { ownerId } = found;
  const step = { from, to, changes: { ...why, ownerId, decidedAt: ctx.now }, note: statement, now: ctx.now };
  if (!(await moveCase(tx, id, { ...step, by: { role: 'moderator', userId } }))) throw invalidCaseState(found.state);
  await queueNotifications(tx, { caseId: id, state: to, now: ctx.now }, await recipientsOf(tx, { found, to, users }));
  await appendAudit(tx, moderationDecided(ctx, { userId, caseId: id, detail: reason ? `${to} ${reason}` : to }));
}

/** Returns the recipients of a decision email. A user with several roles receives one email, for the first role. */
async function recipientsOf(
  tx: Tx,
  { found, to, users }: { found: CaseRecord; to: CaseState; users: string[] },
): Promise<{ userId: string; role: RecipientRole }[]> {
  const owner = found.ownerId !== null && to !== 'dismissed' ? [found.ownerId] : [];
  const reporters = await selectReporters(tx, found.id);
  const notifiedUsers = to === 'upheld' ? [] : users;
  const withRole = (userIds: string[], role: RecipientRole): { userId: string; role: RecipientRole }[] =>
    userIds.map((userId) => ({ userId, role }));
  return [...withRole(owner, 'owner'), ...withRole(reporters, 'reporter'), ...withRole(notifiedUsers, 'user')];
}

/** Returns the error if a case is not in a state for this decision. A concurrent request may have changed it. */
function invalidCaseState(state: CaseState): ParleyError {
  return new ParleyError('conflict', `The case is now ${state}. Reload it and decide again.`, { data: { state } });
}

/** Sends a batch of due emails about decisions. A failed email is retried with increasing delay. */
export async function sendDecisionEmails(now: Date): Promise<void> {
  const due = await claimNotifications(now, DECISION_EMAIL_BATCH_SIZE);
  for (const notification of due) await sendDecisionEmail(notification, now);
}

async function sendDecisionEmail(notification: DecisionNotification, now: Date): Promise<void> {
  try {
    const { userId, agentId } = notification;
    const agent = agentId === null ? null : await findAgentById(agentId);
    const mail = (texts: Translation): MailText => emailFor(notification, agent?.slug ?? null, texts);
    await notifyPerson({ ctx: { now }, input: { userId, kind: 'moderation', mail } });
    await deleteNotification(notification);
  } catch (error) {
    log.warn('moderation.email_failed', { caseId: notification.caseId, ...errorFields(error) });
  }
}

/** Describes the target without user-written text, so that users cannot send messages through Parley. */
function nameOf({ kind }: DecisionNotification, slug: string | null, { t }: Translation): string {
  return t(`mail.moderation.targets.${kind}`, { slug: slug ?? t('mail.moderation.targets.deleted') });
}

function emailFor(notification: DecisionNotification, slug: string | null, texts: Translation): MailText {
  const { caseId, state, role, reason } = notification;
  const { t, lines } = texts;
  const name = nameOf(notification, slug, texts);
  const why = reason === null ? [] : ['', t('mail.moderation.reason', { reason })];
  const appealUrl = `${env().APP_URL}/appeals/${caseId}`;
  const write = (about: DecisionAnnouncement, more: string[] = []): MailText => {
    const mail = texts.mail(`moderation.${about}`, { name });
    return { ...mail, lines: [...mail.lines, ...more] };
  };
  if (state === 'dismissed') return write('dismissed');
  if (state === 'restored') return write('restored');
  if (role === 'owner' && state === 'upheld') return write('upheld', [...why, '', appealUrl]);
  if (role === 'owner') return write('removed', [...why, '', ...lines('mail.moderation.appeal', { link: appealUrl })]);
  if (role === 'reporter') return write('reported', why);
  return write('used', [...why, '', ...lines('mail.moderation.usedEffect')]);
}

type DecisionAnnouncement = 'dismissed' | 'restored' | 'upheld' | 'removed' | 'reported' | 'used';
