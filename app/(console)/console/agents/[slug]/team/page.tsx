import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { listPageSchema, pageOfList } from '@/app/list-page';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { InvitationList, InviteForm } from '@/components/console/team/invite-form';
import { TeamList } from '@/components/console/team/team-list';
import { PagedList } from '@/components/forms/paged-list';
import { agentTeamPath } from '@/components/routes';
import { ConsoleSection } from '@/components/ui/display/card';
import { getTeam } from '@/lib/catalog';

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: ListQuery;
}

/** Maximum team members on a page. */
const PAGE_SIZE = 20;

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('team.titleOf', await params) };
}

export default async function TeamPage({ params, searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const path = agentTeamPath(slug);
  const { filter, here } = readListQuery(path, listPageSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const team = await orNotFound(getTeam({ ctx, input: { slug } }));
  const page = pageOfList(team.members, {
    path,
    filter,
    size: PAGE_SIZE,
    textOf: ({ name, email }) => `${name} ${email}`,
  });
  return (
    <>
      <TabHeader lead={t('team.lead')} title={t('team.title')} />
      <PagedList
        label={t('team.search')}
        page={page}
        path={path}
        placeholder={t('team.searchHint')}
        q={filter.q}
        searchFrom={PAGE_SIZE / 2}
      >
        <TeamList slug={slug} team={{ ...team, members: page.items }} />
      </PagedList>
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
