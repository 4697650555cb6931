import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { ConversationList } from '@/components/chat/list/conversation-list';
import { FullHeightShell } from '@/components/shell/page-shells';
import { PageTexts } from '@/components/texts/page-texts';
import { listConversations } from '@/lib/chat';

/** The chat: the list of conversations next to the open one. Anonymous visitors have no list. */
export default async function ChatLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const ctx = await pageContext();
  const { actor } = ctx;
  if (actor.kind !== 'user') {
    return (
      <PageTexts of="app/(chat)">
        <FullHeightShell user={null}>
          <div className="flex h-full">{children}</div>
        </FullHeightShell>
      </PageTexts>
    );
  }
  const t = await getTranslations('shell.pages.chatLayout');
  return (
    <PageTexts of="app/(chat)">
      <FullHeightShell user={await shellUserOf(actor)}>
        <div className="flex h-full">
          <nav
            aria-label={t('conversations')}
            className="hidden w-72 shrink-0 flex-col border-e border-line bg-canvas p-3 md:flex"
          >
            <ConversationList initialPage={await listConversations({ ctx, input: {} })} idPrefix="side" />
          </nav>
          {children}
        </div>
      </FullHeightShell>
    </PageTexts>
  );
}
