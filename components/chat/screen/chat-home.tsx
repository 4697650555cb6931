import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ConversationPage } from '../../../lib/chat/schema';
import { routes } from '../../routes';
import { mainId } from '../../shell/skip-link';
import { LinkButton } from '../../ui/controls/button';
import { EmptyState } from '../../ui/display/card';
import { ConversationList } from '../list/conversation-list';

/** The chat without an open conversation: on phones the list, otherwise a hint. */
export function ChatHome({ initialPage }: { initialPage: ConversationPage }): ReactNode {
  const t = useTranslations('chat.chatHome');
  const isEmpty = initialPage.items.length === 0;
  return (
    <main className="flex min-w-0 flex-1 flex-col overflow-y-auto p-4 outline-none sm:p-6" id={mainId} tabIndex={-1}>
      <h1 className={isEmpty ? 'sr-only' : 'mb-4 text-2xl font-semibold md:sr-only'}>{t('title')}</h1>
      {isEmpty ? null : (
        <div className="flex min-h-0 flex-1 flex-col md:hidden">
          <ConversationList initialPage={initialPage} idPrefix="home" />
        </div>
      )}
      <EmptyState
        action={
          <LinkButton href={routes.catalog} prefetch={false} tone="primary">
            {t('findAgent')}
          </LinkButton>
        }
        className={isEmpty ? 'm-auto w-full max-w-xl' : 'm-auto w-full max-w-xl max-md:hidden'}
        title={t(isEmpty ? 'noneTitle' : 'notOpenTitle')}
      >
        {t(isEmpty ? 'none' : 'notOpen')}
      </EmptyState>
    </main>
  );
}

/** A conversation or agent that does not exist, or not for this user. */
export function ChatMissing(): ReactNode {
  const t = useTranslations('chat.chatMissing');
  return (
    <main className="flex min-w-0 flex-1 flex-col overflow-y-auto p-6 outline-none" id={mainId} tabIndex={-1}>
      <div className="m-auto max-w-[46ch] text-center">
        <h1 className="text-2xl font-semibold">{t('title')}</h1>
        <p className="mt-3 text-muted">{t('why')}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <LinkButton href={routes.chat} prefetch={false}>
            {t('conversations')}
          </LinkButton>
          <LinkButton href={routes.catalog} prefetch={false} tone="primary">
            {t('findAgent')}
          </LinkButton>
        </div>
      </div>
    </main>
  );
}
