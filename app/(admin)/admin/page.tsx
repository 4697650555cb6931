import type { Metadata } from 'next';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CaseQueue } from '@/components/moderation/case-queue';
import { LookAlikeList } from '@/components/moderation/look-alike-list';
import { PageHeader } from '@/components/shell/page-header';
import { queuePath } from '@/components/shell/routes';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { listLookalikes } from '@/lib/catalog';
import { pageContext } from '@/lib/http/pages/page-context';
import { listCases } from '@/lib/moderation';
import { caseStates, type Queue, queueQuerySchema } from '@/lib/moderation/schema';
import { forModerators } from '../for-moderators';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.queue');
  return { title: t('title') };
}

const { state, page } = queueQuerySchema.shape;
const [queueState, queuePage] = [state.catch('open'), page.catch(1)];

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ModerationPage({ searchParams }: Props): Promise<ReactNode> {
  const given = await searchParams;
  const input = { state: queueState.parse(given.state), page: queuePage.parse(given.page) };
  const ctx = await pageContext();
  const found = listCases({ ctx, input }).then(async (queue) => ({
    queue,
    lookAlikes: input.state === 'open' ? await listLookalikes() : [],
  }));
  const t = await getTranslations('moderation.pages.queue');
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      {
        await forModerators(found, {
          here: queuePath(input.state, input.page),
          show: ({ queue, lookAlikes }) => (
            <>
              <States chosen={input.state} counts={queue.counts} />
              <Cases queue={queue} state={input.state} />
              {lookAlikes.length > 0 ? <LookAlikeList items={lookAlikes} /> : null}
            </>
          ),
        })
      }
    </div>
  );
}

type State = (typeof caseStates)[number];

function States({ chosen, counts }: { chosen: State; counts: Queue['counts'] }): ReactNode {
  const t = useTranslations('moderation.pages.queue');
  const tWords = useTranslations('moderation.words');
  return (
    <nav aria-label={t('states')} className="mb-6 flex flex-wrap gap-1 text-sm">
      {caseStates.map((one) => (
        <Link
          aria-current={one === chosen ? 'page' : undefined}
          className="inline-flex min-h-9 items-center gap-2 rounded-md px-3 text-muted hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink touch:min-h-11"
          href={queuePath(one)}
          key={one}
          prefetch={false}
        >
          {tWords(`states.${one}`)}
          <span className="tabular-nums">{counts[one]}</span>
        </Link>
      ))}
    </nav>
  );
}

function Cases({ queue, state: chosen }: { queue: Queue; state: State }): ReactNode {
  const t = useTranslations('moderation.pages.queue');
  if (queue.items.length === 0) {
    return <EmptyState title={t('empty')}>{t(chosen === 'open' ? 'noneOpen' : 'noneInState')}</EmptyState>;
  }
  return (
    <>
      <CaseQueue cases={queue.items} key={`${chosen} ${queue.page}`} state={chosen} />
      {queue.page < queue.pages ? (
        <LinkButton className="mt-6" href={queuePath(chosen, queue.page + 1)}>
          {t('next')}
        </LinkButton>
      ) : null}
    </>
  );
}
