import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { cache, type ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { SharedTurns } from '@/components/chat/thread/shared-thread';
import { ReportLink } from '@/components/market/listing/links';
import { agentPath } from '@/components/routes';
import { SiteShell } from '@/components/shell/page-shells';
import { PageTexts } from '@/components/texts/page-texts';
import { getSharedThread } from '@/lib/chat';

interface Props {
  params: Promise<{ token: string }>;
}

/** The shared conversation. Loaded once per request and never cached, so that revoked links return 404. */
const findShared = cache(
  (token: string): ReturnType<typeof getSharedThread> => orNotFound(getSharedThread({ input: { token } })),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title } = await findShared((await params).token);
  return { title, robots: { index: false, follow: false }, referrer: 'no-referrer' };
}

export default async function SharedPage({ params }: Props): Promise<ReactNode> {
  const thread = await findShared((await params).token);
  const { actor } = await pageContext();
  const { agent, title } = thread;
  const t = await getTranslations('shell.pages.share');
  return (
    <SiteShell user={await shellUserOf(actor)}>
      <PageTexts of="app/share/[token]">
        <div className="mx-auto w-full max-w-[46rem] space-y-8 px-4 py-10 sm:px-6">
          <header className="space-y-2 border-b border-line pb-5">
            <p className="text-sm text-muted">{t('readOnly')}</p>
            <h1 className="text-2xl font-semibold [overflow-wrap:anywhere]" dir="auto">
              {title}
            </h1>
            <p className="text-sm text-muted">
              {t.rich('lead', {
                agent: () => (
                  <Link className="underline hover:text-ink" href={agentPath(agent.slug)} prefetch={false}>
                    <bdi>{agent.name}</bdi>
                  </Link>
                ),
              })}
            </p>
          </header>
          <SharedTurns thread={thread} />
          <footer className="border-t border-line pt-4 text-sm">
            <ReportLink id={(await params).token} kind="share" />
          </footer>
        </div>
      </PageTexts>
    </SiteShell>
  );
}
