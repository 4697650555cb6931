import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { CallDetails } from '@/components/console/calls/call-details';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { agentCallPath, agentTestPath } from '@/components/routes';
import { LinkButton } from '@/components/ui/controls/button';
import { getCall } from '@/lib/console';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('call.metaTitle') };
}

export default async function CallPage({
  params,
}: {
  params: Promise<{ slug: string; id: string }>;
}): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug, id } = await params;
  const { ctx } = await signedIn(agentCallPath(slug, id));
  const call = await orNotFound(getCall({ ctx, input: { slug, id } }));
  if (!call) notFound();
  return (
    <>
      <TabHeader
        actions={
          call.failure && call.wire ? <LinkButton href={agentTestPath(slug, id)}>{t('call.repeat')}</LinkButton> : null
        }
        title={t(call.failure ? 'call.failed' : 'call.title')}
      />
      <CallDetails call={call} slug={slug} />
    </>
  );
}
