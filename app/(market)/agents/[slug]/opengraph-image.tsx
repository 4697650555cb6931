import { ImageResponse } from 'next/og';
import { createTranslator } from 'next-intl';
import { ListingImage } from '@/components/market/agent-page/listing-image';
import { getAgentPage } from '@/lib/catalog';
import { getRanking } from '@/lib/discovery';
import { hasCode } from '@/lib/pages/site';
import { texts } from '@/lib/texts/en';

// All visitors receive the same cached image, whose font has only Latin letters, so its text is English.
const t = createTranslator({ locale: 'en', messages: texts, namespace: 'market' });

export const size = { width: 1200, height: 630 };
export const contentType = 'image/png';
export const alt = t('listingImage.alt');

/** Renders the preview image for links to the agent's page. Private agents have none. */
export default async function ListingPicture({ params }: { params: Promise<{ slug: string }> }): Promise<Response> {
  const { slug } = await params;
  const ctx = { actor: { kind: 'anonymous' as const }, now: new Date() };
  try {
    const [agent, standing] = await Promise.all([
      getAgentPage({ ctx, input: { slug } }),
      getRanking({ ctx, input: { slug } }),
    ]);
    const headers = { 'cache-control': 'public, max-age=3600' };
    return new ImageResponse(<ListingImage agent={agent} standing={standing} t={t} />, { ...size, headers });
  } catch (error) {
    if (!hasCode(error, 'not_found', 'gone')) throw error;
    return new Response(null, { status: error.code === 'gone' ? 410 : 404 });
  }
}
