import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { ChatHome } from '@/components/chat/chat-home';
import { routes, signInPath } from '@/components/shell/routes';
import { listConversations } from '@/lib/chat';
import { pageContext } from '@/lib/http/page-context';

export const metadata: Metadata = { title: 'Chat', robots: { index: false } };

export default async function ChatPage(): Promise<ReactNode> {
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user') redirect(signInPath(routes.chat));
  return <ChatHome first={await listConversations({ ctx, input: {} })} />;
}
