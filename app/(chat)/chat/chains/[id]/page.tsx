import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { ChainScreen } from '@/components/chat/chains/chain-screen';
import { chainPath, signInPath } from '@/components/routes';
import { getChain } from '@/lib/tasks';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.pages.chain');
  return { title: t('title'), robots: { index: false } };
}

/**
 * Displays the calls that agents make to other agents for one task. API clients send their users to this page to
 * decide.
 */
export default async function ChainPage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  const ctx = await pageContext();
  if (ctx.actor.kind !== 'user') redirect(signInPath(chainPath(id)));
  return <ChainScreen first={await orNotFound(getChain({ ctx, input: { rootTaskId: id } }))} />;
}
