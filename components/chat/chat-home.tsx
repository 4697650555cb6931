import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ConversationPage } from '../../lib/chat/schema';
import { routes } from '../shell/routes';
import { mainId } from '../shell/skip-link';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';
import { ConversationList } from './conversation-list';

/** The chat without an open conversation: on phones the list, else a hint. */
export function ChatHome({ first }: { first: ConversationPage }): ReactNode {
  const t = useTranslations('chat.chatHome');
  const none = first.items.length === 0;
  return (
    <main className="flex min-w-0 flex-1 flex-col overflow-y-auto p-4 outline-none sm:p-6" id={mainId} tabIndex={-1}>
      <h1 className={none ? 'sr-only' : 'mb-4 text-2xl font-semibold md:sr-only'}>{t('title')}</h1>
      {none ? null : (
        <div className="flex min-h-0 flex-1 flex-col md:hidden">
          <ConversationList first={first} idPrefix="home" />
        </div>
      )}
      <EmptyState
        action={
          <LinkButton href={routes.catalog} prefetch={false} tone="primary">
            {t('findAgent')}
          </LinkButton>
        }
        className={none ? 'm-auto w-full max-w-xl' : 'm-auto w-full max-w-xl max-md:hidden'}
        title={t(none ? 'noneTitle' : 'notOpenTitle')}
      >
        {t(none ? 'none' : 'notOpen')}
      </EmptyState>
    </main>
  );
}
