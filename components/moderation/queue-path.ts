import type { QueueQuery } from '@/lib/moderation/schema';
import { routes } from '../routes';

/** The moderators' queue with a filter; defaults are left out. */
export function queuePath({ state, kind, reason, q, page = 1 }: Partial<QueueQuery>): string {
  const query = new URLSearchParams({
    ...(state && state !== 'open' ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...(reason ? { reason } : {}),
    ...(q ? { q } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
  });
  return query.size > 0 ? `${routes.moderation}?${query}` : routes.moderation;
}
