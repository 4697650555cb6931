import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { ReviewSummary } from '@/lib/reviews/schema';

/** The agent's data for search engines (schema.org as JSON-LD), in a data block, which browsers do not execute. */
export function StructuredData({ agent, rating }: { agent: AgentDetail; rating: ReviewSummary }): ReactNode {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: agent.name,
    description: agent.description,
    url: agent.url,
    applicationCategory: 'AI agent',
    operatingSystem: 'Any',
    softwareVersion: agent.version,
    keywords: agent.tags.join(', '),
    dateModified: agent.updatedAt,
    datePublished: agent.createdAt,
    publisher: { '@type': 'Organization', name: agent.provider?.organization || agent.publisher.name },
    ...(agent.iconUrl && { image: agent.iconUrl }),
    ...(rating.average !== null && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: Number(rating.average.toFixed(2)),
        reviewCount: rating.count,
        bestRating: 5,
        worstRating: 1,
      },
    }),
    featureList: agent.skills.map(({ name }) => name),
  };
  // "</script>" and "<!--" in an agent's text must not end the element.
  return <script type="application/ld+json">{JSON.stringify(data).replace(/</g, '\\u003c')}</script>;
}
