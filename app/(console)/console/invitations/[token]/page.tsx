import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { InvitationAnswer } from '@/components/console/team/invitation-answer';
import { invitationPath, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/display/card';
import { getInvitation } from '@/lib/catalog';
import { hasCode } from '@/lib/pages/site';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('invitation.title'), referrer: 'strict-origin' };
}

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const tProblems = await getTranslations('problems');
  const { token } = await params;
  const { ctx } = await signedIn(invitationPath(token));
  const found = await getInvitation({ ctx, input: { token } }).catch(reasonOf);
  return (
    <>
      <PageHeader title={t('invitation.title')} />
      {typeof found === 'string' ? (
        <EmptyState
          action={<LinkButton href={routes.console}>{t('invitation.agents')}</LinkButton>}
          title={t('invitation.unanswerable')}
        >
          {tProblems(found)}
        </EmptyState>
      ) : (
        <InvitationAnswer offer={found} token={token} />
      )}
    </>
  );
}

/** Returns the text with the reason why the invitation cannot be accepted. @throws all other errors */
function reasonOf(error: unknown): 'invitationOver' | 'invitationOfOther' {
  if (hasCode(error, 'not_found')) return 'invitationOver';
  if (hasCode(error, 'forbidden')) return 'invitationOfOther';
  throw error;
}
