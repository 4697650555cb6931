import type { Metadata } from 'next';
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
  return { title: `Team of ${(await params).slug}` };
}

export default async function TeamPage({ params }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const { ctx } = await signedIn(agentTeamPath(slug));
  const team = await orNotFound(getTeam({ ctx, input: { slug } }));
  return (
    <>
      <PageHeader
        crumbs={[
          { href: routes.console, text: 'Your agents' },
          { href: ownAgentPath(slug), text: slug },
        ]}
        lead="Viewers see the log and the settings, developers change them. Selling, the team and the end of the listing stay with the owner."
        title="Team"
      />
      <AgentTabs slug={slug} />
      <TeamList slug={slug} team={team} />
      {team.role === 'owner' ? (
        <>
          <ConsoleSection id="invite" title="Invite somebody">
            <InviteForm slug={slug} />
          </ConsoleSection>
          {team.invitations.length > 0 ? (
            <ConsoleSection id="invitations" title="Open invitations">
              <InvitationList invitations={team.invitations} slug={slug} />
            </ConsoleSection>
          ) : null}
        </>
      ) : null}
    </>
  );
}
