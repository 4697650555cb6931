import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { cache, type ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { ChatScreen } from '@/components/chat/chat-screen';
import { conversationPath } from '@/components/chat/paths';
import { signInPath } from '@/components/shell/routes';
import { getThread } from '@/lib/chat';
import { chatLimits, type ThreadView } from '@/lib/chat/schema';
import { pageContext } from '@/lib/http/page-context';

interface Props {
  params: Promise<{ id: string }>;
}

/** The conversation; sign-in for visitors, 404 for what is not theirs. Asked once per request. */
const findThread = cache(async (id: string): Promise<ThreadView> => {
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user') redirect(signInPath(conversationPath(id)));
  return orNotFound(getThread({ ctx, input: { id } }));
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { conversation } = await findThread((await params).id);
  return { title: conversation.title, robots: { index: false } };
}

export default async function ConversationPage({ params }: Props): Promise<ReactNode> {
  const view = await findThread((await params).id);
  return <ChatScreen agent={view.agent} key={view.conversation.id} limits={chatLimits} signedIn view={view} />;
}
