import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { ChatScreen } from '@/components/chat/screen/chat-screen';
import { EmptyThread } from '@/components/chat/screen/empty-thread';
import { routes } from '@/components/routes';
import { getChatAgent } from '@/lib/chat';
import { chatLimits } from '@/lib/chat/schema';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.pages.newChat');
  return { title: t('title'), robots: { index: false } };
}

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** A new conversation. Visitors without an account sign in when they send, unless the agent is open to guests. */
export default async function NewChatPage({ searchParams }: Props): Promise<ReactNode> {
  // `q` is the field of the search on the home page.
  const { agent: slug, q, text = q, resume } = await searchParams;
  if (typeof slug !== 'string') redirect(routes.catalog);
  const ctx = await pageContext();
  const agent = await orNotFound(getChatAgent({ ctx, input: { slug } }));
  return (
    <ChatScreen
      agent={agent}
      intro={<EmptyThread agent={agent} />}
      key={slug}
      limits={chatLimits}
      prefill={typeof text === 'string' ? text.slice(0, chatLimits.textLength) : ''}
      resume={resume === '1'}
      viewer={ctx.actor.kind === 'user' || ctx.actor.kind === 'guest' ? ctx.actor.kind : 'visitor'}
      view={null}
    />
  );
}
