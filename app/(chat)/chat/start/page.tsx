import { redirect } from 'next/navigation';
import { newChatPath, routes } from '@/components/routes';
import { isConciergeOpen } from '@/lib/concierge';
import { CONCIERGE_SLUG } from '@/lib/discovery/schema';

/**
 * A new conversation for the installed app and what other apps share with it: with the concierge, or after a choice in the
 * catalog.
 */
export default async function ChatStartPage(): Promise<never> {
  redirect((await isConciergeOpen()) ? newChatPath(CONCIERGE_SLUG) : routes.catalog);
}
