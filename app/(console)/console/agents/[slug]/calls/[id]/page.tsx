import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { CallDetails } from '@/components/console/call-details';
import { PageHeader } from '@/components/shell/page-header';
import { agentCallPath, agentLogPath, agentTestPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
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
      <PageHeader
        actions={
          call.failure && call.wire ? <LinkButton href={agentTestPath(slug, id)}>{t('call.repeat')}</LinkButton> : null
        }
        crumbs={[
          { href: routes.console, text: t('crumbs.agents') },
          { href: ownAgentPath(slug), text: slug },
          { href: agentLogPath(slug), text: t('crumbs.calls') },
        ]}
        title={t(call.failure ? 'call.failed' : 'call.title')}
      />
      <CallDetails call={call} slug={slug} />
    </>
  );
}
