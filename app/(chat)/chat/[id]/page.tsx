import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { cache, type ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { ChatScreen } from '@/components/chat/screen/chat-screen';
import { conversationPath, signInPath } from '@/components/routes';
import { getGuestTurnsLeft, getThread } from '@/lib/chat';
import { chatLimits } from '@/lib/chat/schema';
import type { ThreadView } from '@/lib/chat/schema-thread';
import { hasDevices } from '@/lib/notifications';

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ branch?: string | string[]; at?: string | string[] }>;
}

/** The conversation; sign-in for anonymous visitors, 404 for that of others. Loaded once per request. */
const findThread = cache(async (id: string, branch?: string, at?: string): Promise<ThreadView> => {
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user' && ctx.actor.kind !== 'guest')
    redirect(signInPath(conversationPath(id, { branch, at })));
  return orNotFound(getThread({ ctx, input: { id, branch, at } }));
});

async function placeOf({ params, searchParams }: Props): Promise<[id: string, branch?: string, at?: string]> {
  const { branch, at } = await searchParams;
  return [(await params).id, typeof branch === 'string' ? branch : undefined, typeof at === 'string' ? at : undefined];
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { conversation } = await findThread(...(await placeOf(props)));
  return { title: conversation.title, robots: { index: false } };
}

export default async function ConversationPage(props: Props): Promise<ReactNode> {
  const view = await findThread(...(await placeOf(props)));
  const key = [view.conversation.id, view.branch.id, view.at].join(' ');
  const { actor, now } = await pageContext();
  const guestTurnsLeft = actor.kind === 'guest' ? await getGuestTurnsLeft(actor, view.agent.slug, now) : null;
  return (
    <ChatScreen
      agent={view.agent}
      deviceUser={actor.kind === 'user' ? { userId: actor.userId, isNotified: await hasDevices(actor.userId) } : null}
      guestTurnsLeft={guestTurnsLeft}
      key={key}
      limits={chatLimits}
      view={view}
      viewer={actor.kind === 'guest' ? 'guest' : 'user'}
    />
  );
}
