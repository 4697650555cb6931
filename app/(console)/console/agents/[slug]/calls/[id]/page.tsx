import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { CallDetails } from '@/components/console/call-details';
import { PageHeader } from '@/components/shell/page-header';
import { agentCallPath, agentLogPath, agentTestPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { getCall } from '@/lib/console';

export const metadata: Metadata = { title: 'A call' };

export default async function CallPage({
  params,
}: {
  params: Promise<{ slug: string; id: string }>;
}): Promise<ReactNode> {
  const { slug, id } = await params;
  const { ctx } = await signedIn(agentCallPath(slug, id));
  const call = await orNotFound(getCall({ ctx, input: { slug, id } }));
  if (!call) notFound();
  return (
    <>
      <PageHeader
        actions={
          call.failure && call.wire ? <LinkButton href={agentTestPath(slug, id)}>Repeat it as a test</LinkButton> : null
        }
        crumbs={[
          { href: routes.console, text: 'Your agents' },
          { href: ownAgentPath(slug), text: slug },
          { href: agentLogPath(slug), text: 'Calls' },
        ]}
        title={call.failure ? 'Failed call' : 'Call'}
      />
      <CallDetails call={call} slug={slug} />
    </>
  );
}
