import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { AgentTabs } from '@/components/console/agent-tabs';
import { ConsoleSection } from '@/components/console/console-section';
import { InvitationList } from '@/components/console/invitation-list';
import { InviteForm } from '@/components/console/invite-form';
import { TeamList } from '@/components/console/team-list';
import { PageHeader } from '@/components/shell/page-header';
import { agentTeamPath, ownAgentPath, routes } from '@/components/shell/routes';
import { getTeam } from '@/lib/catalog';

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('team.titleOf', await params) };
}

export default async function TeamPage({ params }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const { ctx } = await signedIn(agentTeamPath(slug));
  const team = await orNotFound(getTeam({ ctx, input: { slug } }));
  return (
    <>
      <PageHeader
        crumbs={[
          { href: routes.console, text: t('crumbs.agents') },
          { href: ownAgentPath(slug), text: slug },
        ]}
        lead={t('team.lead')}
        title={t('team.title')}
      />
      <AgentTabs slug={slug} />
      <TeamList slug={slug} team={team} />
      {team.role === 'owner' ? (
        <>
          <ConsoleSection id="invite" title={t('team.invite')}>
            <InviteForm slug={slug} />
          </ConsoleSection>
          {team.invitations.length > 0 ? (
            <ConsoleSection id="invitations" title={t('team.invitations')}>
              <InvitationList invitations={team.invitations} slug={slug} />
            </ConsoleSection>
          ) : null}
        </>
      ) : null}
    </>
  );
}
