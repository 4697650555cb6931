import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { mainId } from '../shell/skip-link';
import { LinkButton } from '../ui/controls/button';

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
