import { useEffect } from 'react';
import type { OrderView } from '@/lib/payments/schema';

/** The page of the payment provider at which the order waits for the person; null when it does not. */
export function hostedPageOf({ redirectUrl }: Pick<OrderView, 'redirectUrl'>): string | null {
  return redirectUrl && /^https?:\/\//.test(redirectUrl) ? redirectUrl : null;
}

/** Takes the person, who has just approved, to that page as soon as there is one. */
export function useHostedPage(order: OrderView): void {
  const page = hostedPageOf(order);
  useEffect(() => {
    if (page) window.location.assign(page);
  }, [page]);
}
