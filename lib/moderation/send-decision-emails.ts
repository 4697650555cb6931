import { findAgentById } from '../catalog';
import { notifyPerson } from '../identity';
import { env } from '../platform/env';
import { errorFields, log } from '../platform/log';
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
  return `${what[kind]} ${agent?.slug ?? 'that is gone'}`;
}

const reasons: Record<ReportReason, string> = {
  illegal: 'it is, or helps with, something illegal',
  scam: 'it deceives people about money or goods',
  impersonation: 'it pretends to be somebody else',
  harmful: 'it does harm to people or to their devices',
  abuse: 'it attacks or demeans people',
  fake: 'it is not by somebody who used the agent as it says',
  privacy: 'it shows personal data of others',
  spam: 'it is advertising without substance',
  copyright: 'it uses the work of others without permission',
};

function emailFor({ caseId, state, role, reason }: DecisionNotification, name: string): Email {
  const why = reason === null ? [] : ['', `The reason: ${reasons[reason]}.`];
  const appealUrl = `${env().APP_URL}/appeals/${caseId}`;
  if (state === 'dismissed') {
    const intro = ['Thank you for your report. We looked at it and found no breach of our rules.'];
    return { subject: `Your report of ${name}`, lines: [...intro, '', `Nothing was taken down: ${name}.`] };
  }
  if (state === 'restored') {
    const intro = `We looked again at ${name} and put it back as it was.`;
    return { subject: `Back on Parley: ${name}`, lines: [intro] };
  }
  if (role === 'owner' && state === 'upheld') {
    const intro = `We looked again at ${name}, as you asked. Our decision stands.`;
    return { subject: `Your appeal about ${name}`, lines: [intro, ...why, '', appealUrl] };
  }
  if (role === 'owner') {
    const intro = `We took down ${name}. Others can no longer see it.`;
    const appeal = ['', 'You can read what was decided, and appeal once, here:', '', appealUrl];
    return { subject: `Taken down: ${name}`, lines: [intro, ...why, ...appeal] };
  }
  if (role === 'reporter') {
    const intro = `Thank you for your report. We took down ${name}.`;
    return { subject: `Your report of ${name}`, lines: [intro, ...why] };
  }
  const intro = [`We took down ${name}, with which you have talked within the last month.`, ...why];
  const rest = [
    '',
    'It answers no more, and what it was still working on for you has ended.',
    'Your conversations stay.',
  ];
  return { subject: `Taken down: ${name}`, lines: [...intro, ...rest] };
}
