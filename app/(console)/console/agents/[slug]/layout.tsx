import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AgentTabs, StatusBadge } from '@/components/console/frame/agent-tabs';
import { agentPath, newChatPath, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { getAgentForMember } from '@/lib/catalog';

interface LayoutProps {
  params: Promise<{ slug: string }>;
  children: ReactNode;
}

/**
 * The header and the tabs of an agent's console pages, which are the same on each tab, so that the layout does not
 * shift.
 */
export default async function OwnAgentLayout({ params, children }: LayoutProps): Promise<ReactNode> {
  const ctx = await pageContext();
  // The page redirects to the sign-in, from which users return to the page.
  if (ctx.actor.kind !== 'user') return children;
  const { slug } = await params;
  const agent = await getAgentForMember({ ctx, input: { slug } });
  if (!agent) notFound();
  const t = await getTranslations('console.pages');
  return (
    <>
      <PageHeader
        actions={
          agent.status === 'withdrawn' ? null : (
            <>
              <LinkButton href={agentPath(slug)}>{t('agent.seePage')}</LinkButton>
              <LinkButton href={newChatPath(slug)}>{t('agent.try')}</LinkButton>
            </>
          )
        }
        crumbs={[{ href: routes.console, text: t('crumbs.agents') }]}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <bdi>{agent.name}</bdi>
            <StatusBadge status={agent.status} />
          </span>
        }
      />
      <AgentTabs slug={slug} />
      {children}
    </>
  );
}
