import { findAgentById } from '../catalog';
import { notifyPerson } from '../identity';
import { env } from '../platform/env';
import { errorFields, log } from '../platform/log';
import type { ReportReason } from './schema';
import { claimNotices, dropNotice, type Notice } from './store/notices';

const perRound = 50;

/** Sends the mails about decisions that are due; what no server takes is tried again, later each time. */
export async function tellPeople(now: Date): Promise<void> {
  const due = await claimNotices(now, perRound);
  for (const notice of due) await tell(notice, now);
}

async function tell(notice: Notice, now: Date): Promise<void> {
  try {
    const mail = mailOf(notice, await nameOf(notice));
    await notifyPerson({ ctx: { now }, input: { userId: notice.userId, kind: 'moderation', mail } });
    await dropNotice(notice);
  } catch (error) {
    log.warn('moderation.not_told', { caseId: notice.caseId, ...errorFields(error) });
  }
}

interface Mail {
  subject: string;
  lines: string[];
}

/** What the mail is about, in words of ours: nobody's own words go out in our name. */
async function nameOf({ kind, agentId }: Notice): Promise<string> {
  const agent = agentId === null ? null : await findAgentById(agentId);
  if (kind === 'share') return 'a shared conversation';
  return `${kind === 'agent' ? 'the agent' : 'a review of the agent'} ${agent?.slug ?? 'that is gone'}`;
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

function mailOf({ caseId, state, role, reason }: Notice, name: string): Mail {
  const why = reason === null ? [] : ['', `The reason: ${reasons[reason]}.`];
  const place = `${env().APP_URL}/appeals/${caseId}`;
  if (state === 'dismissed') {
    const said = ['Thank you for your report. We looked at it and found no breach of our rules.'];
    return { subject: `Your report of ${name}`, lines: [...said, '', `Nothing was taken down: ${name}.`] };
  }
  if (state === 'restored') {
    const said = `We looked again at ${name} and put it back as it was.`;
    return { subject: `Back on Parley: ${name}`, lines: [said] };
  }
  if (role === 'owner' && state === 'upheld') {
    const said = `We looked again at ${name}, as you asked. Our decision stands.`;
    return { subject: `Your appeal about ${name}`, lines: [said, ...why, '', place] };
  }
  if (role === 'owner') {
    const said = `We took down ${name}. Nobody but you can see it.`;
    const appeal = ['', 'You can read what was decided, and appeal once, here:', '', place];
    return { subject: `Taken down: ${name}`, lines: [said, ...why, ...appeal] };
  }
  if (role === 'reporter') {
    const said = `Thank you for your report. We took down ${name}.`;
    return { subject: `Your report of ${name}`, lines: [said, ...why] };
  }
  const said = [`We took down ${name}, with which you have talked within the last month.`, ...why];
  const rest = [
    '',
    'It answers no more, and what it was still working on for you has ended.',
    'Your conversations stay.',
  ];
  return { subject: `Taken down: ${name}`, lines: [...said, ...rest] };
}
