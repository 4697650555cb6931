import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConversationList } from '@/components/chat/conversation-list';
import { WorkShell } from '@/components/shell/work-shell';
import { PageTexts } from '@/components/texts/page-texts';
import { listConversations } from '@/lib/chat';
import { pageContext } from '@/lib/http/pages/page-context';

/** The chat's window: the list of conversations beside the one that is open. Visitors have no list yet. */
export default async function ChatLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const ctx = await pageContext();
  const { actor } = ctx;
  if (actor.kind !== 'user') {
    return (
      <PageTexts of="app/(chat)">
        <WorkShell user={null}>
          <div className="flex h-full">{children}</div>
        </WorkShell>
      </PageTexts>
    );
  }
  const t = await getTranslations('shell.pages.chatLayout');
  return (
    <PageTexts of="app/(chat)">
      <WorkShell user={{ name: actor.name, email: actor.email }}>
        <div className="flex h-full">
          <nav
            aria-label={t('conversations')}
            className="hidden w-72 shrink-0 flex-col border-e border-line bg-canvas p-3 md:flex"
          >
            <ConversationList first={await listConversations({ ctx, input: {} })} idPrefix="side" />
          </nav>
          {children}
        </div>
      </WorkShell>
    </PageTexts>
  );
}
