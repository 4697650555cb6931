import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ConversationPage } from '../../../lib/chat/schema';
import { newChatPath, routes } from '../../routes';
import { mainId } from '../../shell/skip-link';
import { LinkButton } from '../../ui/controls/button';
import { AgentMark } from '../../ui/display/agent-mark';
import { EmptyState } from '../../ui/display/card';
import { ConversationList } from '../list/conversation-list';

interface ChatHomeProps {
  initialPage: ConversationPage;
  /** The agents that the user used last, latest first. */
  recent: { slug: string; name: string }[];
}

/** The chat without an open conversation: on phones the list, otherwise a hint. */
export function ChatHome({ initialPage, recent }: ChatHomeProps): ReactNode {
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
          <div className="w-full space-y-6">
            {recent.length > 0 ? <RecentAgents agents={recent} /> : null}
            <LinkButton href={routes.catalog} prefetch={false} tone={recent.length > 0 ? 'secondary' : 'primary'}>
              {t('findAgent')}
            </LinkButton>
          </div>
        }
        className={isEmpty ? 'm-auto w-full max-w-xl' : 'm-auto w-full max-w-xl max-md:hidden'}
        title={t(isEmpty ? 'noneTitle' : 'notOpenTitle')}
      >
        {t(isEmpty ? 'none' : 'notOpen')}
      </EmptyState>
    </main>
  );
}

/** Links to a new conversation with each agent. */
function RecentAgents({ agents }: { agents: ChatHomeProps['recent'] }): ReactNode {
  const t = useTranslations('chat.chatHome');
  return (
    <section aria-labelledby="recent-agents">
      <h3 className="text-sm font-medium text-muted" id="recent-agents">
        {t('recent')}
      </h3>
      <ul className="mt-3 grid gap-2 text-start sm:grid-cols-2">
        {agents.map(({ slug, name }) => (
          <li key={slug}>
            <Link
              className="flex min-h-11 items-center gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 text-sm font-medium hover:border-line-strong hover:bg-sunken"
              href={newChatPath(slug)}
              prefetch={false}
            >
              <AgentMark size={24} slug={slug} />
              <bdi className="min-w-0 truncate">{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
