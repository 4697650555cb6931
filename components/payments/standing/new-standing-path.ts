import { spendingPath } from '../spending/spending-path';

/** The form for a standing approval of an order's merchant. Not among the routes, which every page loads. */
export function newStandingPath(orderId: string): string {
  return `${spendingPath}/new?order=${encodeURIComponent(orderId)}`;
}
