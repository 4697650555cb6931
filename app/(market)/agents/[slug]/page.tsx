import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache, type ReactNode } from 'react';
import { AgentView } from '@/components/market/agent-view';
import { GoneView } from '@/components/market/gone-view';
import { StructuredData } from '@/components/market/structured-data';
import { getAgentPage } from '@/lib/catalog';
import type { AgentDetail } from '@/lib/catalog/schema';
import { pageContext } from '@/lib/http/page-context';
import { codeOf } from '../../code-of';

interface AgentPageProps {
  params: Promise<{ slug: string }>;
}

/** The agent, null when it was withdrawn; 404 for what is unknown or not open to this person. Asked once per request. */
const findAgent = cache(async (slug: string): Promise<AgentDetail | null> => {
  try {
    return await getAgentPage({ ctx: await pageContext(), input: { slug } });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'gone') return null;
    if (code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: AgentPageProps): Promise<Metadata> {
  const agent = await findAgent((await params).slug);
  if (!agent) return { title: 'Agent withdrawn', robots: { index: false } };
  return {
    title: agent.name,
    description: agent.description.slice(0, 200),
    alternates: {
      canonical: agent.url,
      types: {
        'application/json': [{ url: agent.cardUrl, title: 'Agent card' }],
        'text/markdown': [{ url: `${agent.url}.md`, title: 'This page as Markdown' }],
      },
    },
    robots: { index: agent.visibility === 'public' },
  };
}

export default async function AgentPage({ params }: AgentPageProps): Promise<ReactNode> {
  const agent = await findAgent((await params).slug);
  if (!agent) return <GoneView />;
  return (
    <>
      <StructuredData agent={agent} />
      <AgentView agent={agent} messageIds={[crypto.randomUUID(), crypto.randomUUID()]} />
    </>
  );
}
