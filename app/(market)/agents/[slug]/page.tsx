import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { cache, type ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { pageContext } from '@/app/page-context';
import { AgentView } from '@/components/market/agent-page/agent-view';
import { StructuredData } from '@/components/market/agent-page/structured-data';
import { type UnavailableReason, UnavailableView } from '@/components/market/directory/not-found-view';
import { readAgentTab } from '@/components/market/listing/agent-tabs';
import { agentPath } from '@/components/routes';
import { PageTexts } from '@/components/texts/page-texts';
import { getAgentPage, listCardVersions } from '@/lib/catalog';
import type { AgentDetail } from '@/lib/catalog/schema';
import { getExample } from '@/lib/chat';
import { getRanking, listSimilar } from '@/lib/discovery';
import { getPresence } from '@/lib/hub';
import { findOwnCase } from '@/lib/moderation';
import { hasCode } from '@/lib/pages/site';
import { getReviewerStatus, listReviews } from '@/lib/reviews';
import { reviewQuerySchema } from '@/lib/reviews/schema';

/** The query of the review list; invalid values are ignored. */
const { sort, page } = reviewQuerySchema.shape;
const [reviewSort, reviewPage] = [sort.catch('newest'), page.catch(1)];

interface AgentPageProps {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/**
 * Loads the agent, or the reason why it is unavailable, once per request. Responds with 404 if it is unknown or not
 * visible to the viewer.
 */
const findAgent = cache(async (slug: string): Promise<AgentDetail | UnavailableReason> => {
  try {
    const ctx = await pageContext();
    return await fromReplica(() => getAgentPage({ ctx, input: { slug } }));
  } catch (error) {
    if (hasCode(error, 'gone')) return error.data?.why === 'removed' ? 'removed' : 'withdrawn';
    if (hasCode(error, 'not_found')) notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const agent = await findAgent((await params).slug);
  const t = await getTranslations('market.pages.agent');
  if (typeof agent === 'string') return { title: t('gone'), robots: { index: false } };
  return {
    title: agent.name,
    description: agent.description.slice(0, 200),
    alternates: {
      ...(await languageAlternates(agentPath(agent.slug))),
      types: {
        'application/json': [{ url: agent.cardUrl, title: t('card') }],
        'image/svg+xml': [{ url: `${agent.url}/badge.svg`, title: t('badge') }],
        'text/markdown': [{ url: `${agent.url}.md`, title: t('markdown') }],
      },
    },
    robots: { index: agent.visibility === 'public' },
  };
}

export default async function AgentPage({ params, searchParams }: AgentPageProps): Promise<ReactNode> {
  const { slug } = await params;
  const agent = await findAgent(slug);
  if (typeof agent === 'string') return <UnavailableView why={agent} />;
  const ctx = await pageContext();
  const given = await searchParams;
  const query = { sort: reviewSort.parse(given.sort), page: reviewPage.parse(given.reviews) };
  const [page, reviewer, versions, ownCase, standing, similar, presence, example] = await fromReplica(() =>
    Promise.all([
      listReviews({ ctx, input: { ...query, slug } }),
      getReviewerStatus({ ctx, input: { slug } }),
      listCardVersions({ ctx, input: { slug } }),
      agent.status === 'suspended' ? findOwnCase({ ctx, input: { slug } }) : null,
      getRanking({ ctx, input: { slug } }),
      listSimilar({ ctx, input: { slug } }),
      getPresence({ ctx, input: { slug } }),
      getExample({ ctx, input: { slug } }),
    ]),
  );
  return (
    <PageTexts of="app/(market)/agents/[slug]">
      <StructuredData agent={agent} rating={page.summary} />
      <AgentView
        agent={agent}
        caseId={ownCase?.id ?? null}
        example={example}
        messageIds={[crypto.randomUUID(), crypto.randomUUID()]}
        presence={presence}
        resume={given.try === '1'}
        reviews={{ page, sort: query.sort, standing: reviewer }}
        signedIn={ctx.actor.kind === 'user'}
        similar={similar}
        standing={standing}
        tab={readAgentTab(given)}
        versions={versions}
      />
    </PageTexts>
  );
}
