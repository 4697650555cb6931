import type { AgentRecord } from '../catalog';
import { notifyPerson } from '../identity';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { errorFields, log } from '../platform/log';

// No word that people wrote stands in these mails: anyone could send words of their own to anybody through us.

/** Mails an agent's owner that somebody reviewed it. */
export async function notifyOwner(ctx: Ctx, { ownerId, slug }: AgentRecord, stars: number): Promise<void> {
  const given = stars === 1 ? '1 star' : `${stars} stars`;
  await notify(ctx, ownerId, {
    subject: `A new review of ${slug}: ${given}`,
    lines: [
      `Somebody who has used your agent ${slug} gave it ${given}.`,
      '',
      'Read it, and reply for all to see:',
      '',
      reviewsUrl(slug),
    ],
  });
}

/** Mails who wrote a review that the publisher has replied. */
export async function notifyAuthor(ctx: Ctx, userId: string, { slug }: AgentRecord): Promise<void> {
  await notify(ctx, userId, {
    subject: `A reply to your review of ${slug}`,
    lines: [`The publisher of the agent ${slug} has replied to your review. Read it here:`, '', reviewsUrl(slug)],
  });
}

function reviewsUrl(slug: string): string {
  return `${env().APP_URL}/agents/${slug}#reviews`;
}

/** A mail that does not go out takes nothing back. */
async function notify(ctx: Ctx, userId: string, mail: { subject: string; lines: string[] }): Promise<void> {
  try {
    await notifyPerson({ ctx, input: { userId, kind: 'reviews', mail } });
  } catch (error) {
    log.warn('review.not_told', errorFields(error));
  }
}
