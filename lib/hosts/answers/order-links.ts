import { findOrdersOfTasks } from '../../payments';
import type { UserActor } from '../../platform/context';
import { env } from '../../platform/runtime/env';

/** Returns the pages of a task's open offers. Only Parley's own pages can approve a payment. */
export async function findOrderUrls({ userId }: UserActor, taskId: string): Promise<string[]> {
  const orders = await findOrdersOfTasks(userId, [taskId]);
  return orders.filter(({ isOpen }) => isOpen).map(({ orderId }) => `${env().APP_URL}/orders/${orderId}`);
}

/**
 * Returns links to the offers of a task after a turn. Only data parts, in this turn or an earlier one, create an offer.
 */
export async function linksAfterTurn(
  user: UserActor,
  { taskId, hasData, isContinued }: { taskId: string; hasData: boolean; isContinued: boolean },
): Promise<string> {
  return hasData || isContinued ? orderLinks(await findOrderUrls(user, taskId)) : '';
}

/** Links to these pages as Markdown. */
export function orderLinks(urls: string[]): string {
  return urls.map((url) => `[Review this offer on Parley](${url})`).join('\n\n');
}
