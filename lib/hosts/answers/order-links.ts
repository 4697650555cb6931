import { findOrdersOfTasks } from '../../payments';
import type { UserActor } from '../../platform/context';
import { env } from '../../platform/env';

/** Links to the offers of a task, as Markdown: only Parley's own pages can approve a payment. Empty without an offer. */
export async function orderLinks({ userId }: UserActor, taskId: string): Promise<string> {
  const orders = await findOrdersOfTasks(userId, [taskId]);
  return orders
    .filter(({ isOpen }) => isOpen)
    .map(({ orderId }) => `[Review this offer on Parley](${env().APP_URL}/orders/${orderId})`)
    .join('\n\n');
}
