import { findAgentById } from '../catalog';
import { notifyPerson } from '../identity';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import { DECISION_EMAIL_BATCH_SIZE } from './limits';
import type { ReportReason } from './schema';
import { claimNotifications, type DecisionNotification, deleteNotification } from './store/notifications';

/** Sends a batch of due e-mails about decisions. A failed e-mail is retried with increasing delay. */
export async function sendDecisionEmails(now: Date): Promise<void> {
  const due = await claimNotifications(now, DECISION_EMAIL_BATCH_SIZE);
  for (const notification of due) await sendDecisionEmail(notification, now);
}

async function sendDecisionEmail(notification: DecisionNotification, now: Date): Promise<void> {
  try {
    const mail = emailFor(notification, await nameOf(notification));
    await notifyPerson({ ctx: { now }, input: { userId: notification.userId, kind: 'moderation', mail } });
    await deleteNotification(notification);
  } catch (error) {
    log.warn('moderation.email_failed', { caseId: notification.caseId, ...errorFields(error) });
  }
}

interface Email {
  subject: string;
  lines: string[];
}

/** A description of the target without user-written text, so that users cannot send messages through Parley. */
async function nameOf({ kind, agentId }: DecisionNotification): Promise<string> {
  const agent = agentId === null ? null : await findAgentById(agentId);
  if (kind === 'share') return 'a shared conversation';
  const what = {
    agent: 'the agent',
    review: 'a review of the agent',
    example: 'the example conversation of the agent',
  };
  return `${what[kind]} ${agent?.slug ?? '(deleted)'}`;
}

const reasons: Record<ReportReason, string> = {
  illegal: 'illegal content or activity',
  scam: 'scam or fraud',
  impersonation: 'impersonation',
  harmful: 'harm to people or their devices',
  abuse: 'abuse or harassment',
  fake: 'fake review',
  privacy: 'personal data of others',
  spam: 'spam',
  copyright: 'copyright infringement',
};

function emailFor({ caseId, state, role, reason }: DecisionNotification, name: string): Email {
  const why = reason === null ? [] : ['', `Reason: ${reasons[reason]}.`];
  const appealUrl = `${env().APP_URL}/appeals/${caseId}`;
  if (state === 'dismissed') {
    const intro = ['Thank you for your report. We reviewed it and found no violation of our rules.'];
    return { subject: `Your report of ${name}`, lines: [...intro, '', `Nothing was taken down: ${name}.`] };
  }
  if (state === 'restored') {
    const intro = `We reviewed our decision about ${name} again and restored it.`;
    return { subject: `Restored: ${name}`, lines: [intro] };
  }
  if (role === 'owner' && state === 'upheld') {
    const intro = `We reviewed your appeal about ${name}. Our decision remains unchanged.`;
    return { subject: `Your appeal about ${name}`, lines: [intro, ...why, '', appealUrl] };
  }
  if (role === 'owner') {
    const intro = `We took down ${name}. Others can no longer see it.`;
    const appeal = ['', 'You can read the decision and appeal it once:', '', appealUrl];
    return { subject: `Taken down: ${name}`, lines: [intro, ...why, ...appeal] };
  }
  if (role === 'reporter') {
    const intro = `Thank you for your report. We took down ${name}.`;
    return { subject: `Your report of ${name}`, lines: [intro, ...why] };
  }
  const intro = [`We took down ${name}, which you used within the last month.`, ...why];
  const rest = [
    '',
    'It no longer answers, and its running tasks for you were stopped.',
    'Your conversations are kept.',
  ];
  return { subject: `Taken down: ${name}`, lines: [...intro, ...rest] };
}
