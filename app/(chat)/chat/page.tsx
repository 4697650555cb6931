import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { ChatHome } from '@/components/chat/screen/chat-home';
import { routes, signInPath } from '@/components/routes';
import { listConversations } from '@/lib/chat';
import { listGrants } from '@/lib/tokens';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.pages.chat');
  return { title: t('title'), robots: { index: false } };
}

export default async function ChatPage(): Promise<ReactNode> {
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user') redirect(signInPath(routes.chat));
  const [initialPage, grants] = await Promise.all([listConversations({ ctx, input: {} }), listGrants({ ctx })]);
  const recent = grants.flatMap(({ agent }) => (agent.open ? [agent] : [])).slice(0, MAX_RECENT);
  return <ChatHome initialPage={initialPage} recent={recent} />;
}

/** Number of recently used agents that the page offers. */
const MAX_RECENT = 6;
