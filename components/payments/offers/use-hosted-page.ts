import { useEffect } from 'react';
import type { OrderView } from '@/lib/payments/schema';

/** Returns the payment processor's page that the user must visit for this order; null if there is none. */
export function hostedPageOf({ redirectUrl }: Pick<OrderView, 'redirectUrl'>): string | null {
  return redirectUrl && /^https?:\/\//.test(redirectUrl) ? redirectUrl : null;
}

/** Redirects the user, who has just approved, to that page as soon as it exists. */
export function useHostedPage(order: OrderView): void {
  const page = hostedPageOf(order);
  useEffect(() => {
    if (page) window.location.assign(page);
  }, [page]);
}
