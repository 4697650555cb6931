import type { NoticeKind } from '@/lib/identity/schema';

/** How each kind of mail is called, and when it comes. */
export const noticeTexts: Record<NoticeKind, { label: string; hint: string }> = {
  orders: { label: 'Orders and receipts', hint: 'When an order of yours is paid, refused or refunded.' },
  tasks: { label: 'Tasks', hint: 'When a long task of yours has ended or waits for your answer.' },
  agent_health: {
    label: 'Health of your agents',
    hint: 'When an agent of yours stops answering, and when it is back.',
  },
  reviews: { label: 'Reviews', hint: 'When somebody reviews an agent of yours, or answers a review that you wrote.' },
  moderation: { label: 'Decisions about your listings', hint: 'Reports, takedowns and appeals.' },
  security: { label: 'Security', hint: 'A changed password and other things that you should know at once.' },
};
