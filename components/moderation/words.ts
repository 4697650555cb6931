import type { CaseState, ReportReason, TargetKind } from '@/lib/moderation/schema';

/** What each reason means, for who reports and for who is told. */
export const reasonWords: Record<ReportReason, { label: string; hint: string }> = {
  illegal: { label: 'Illegal content', hint: 'It is, or helps with, something that the law forbids.' },
  scam: { label: 'Scam', hint: 'It deceives people about money or goods.' },
  impersonation: { label: 'Impersonation', hint: 'It pretends to be somebody else, or another agent.' },
  harmful: { label: 'Harmful', hint: 'It does harm to people or to their devices.' },
  abuse: { label: 'Abuse', hint: 'It attacks or demeans people.' },
  fake: { label: 'Not genuine', hint: 'It is not by somebody who used the agent, or was paid for.' },
  privacy: { label: 'Personal data', hint: 'It shows data about others that are not public.' },
  spam: { label: 'Spam', hint: 'It is advertising without substance, or the same thing many times.' },
  copyright: { label: 'Copyright', hint: 'It uses the work of others without their permission.' },
};

export const kindWords: Record<TargetKind, string> = {
  agent: 'Agent',
  review: 'Review',
  share: 'Shared conversation',
};

export const stateWords: Record<CaseState, { label: string; tone: 'neutral' | 'accent' | 'good' | 'warn' | 'danger' }> =
  {
    open: { label: 'Waiting', tone: 'accent' },
    dismissed: { label: 'No breach', tone: 'neutral' },
    removed: { label: 'Taken down', tone: 'danger' },
    appealed: { label: 'Appealed', tone: 'warn' },
    restored: { label: 'Restored', tone: 'good' },
    upheld: { label: 'Stays down', tone: 'danger' },
  };
