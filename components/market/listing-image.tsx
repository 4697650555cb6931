import type { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { AgentRanking, Health } from '@/lib/discovery/schema-rankings';
import { markShapes } from '../ui/display/agent-mark';
import { oklchHex } from './oklch-hex';

const ink = '#f4f1ea';
const muted = '#a9bac6';
const signal = '#f2c230';
const dots: Record<Health, string> = { healthy: '#6fd39a', degraded: '#f0c060', down: '#ff9b8f', unknown: '#8496a3' };

export interface ListingImageProps {
  agent: AgentDetail;
  standing: AgentRanking;
  /** Passed in, because the image renderer does not support hooks. */
  t: ReturnType<typeof useTranslations<'market'>>;
}

/** A listing's social image: 1200 by 630, rendered with no asset except the renderer's own font. */
export function ListingImage({ agent, standing, t }: ListingImageProps): ReactNode {
  const name = drawable(agent.name, 60) || agent.slug;
  const text = drawable(agent.description, 190);
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        width: '100%',
        height: '100%',
        padding: '64px 72px',
        background: '#10212d',
        color: ink,
        borderLeft: `24px solid ${signal}`,
      }}
    >
      <div
        style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', fontSize: 30, color: muted }}
      >
        <div style={{ display: 'flex', alignItems: 'center', gap: 20 }}>
          <Mark slug={agent.slug} />
          <span>{agent.slug.slice(0, 40)}</span>
        </div>
        <span style={{ color: ink }}>Parley</span>
      </div>
      <div style={{ display: 'flex', flexDirection: 'column' }}>
        <div
          style={{ display: 'flex', fontSize: name.length > 28 ? 62 : 84, lineHeight: 1.08, letterSpacing: '-0.03em' }}
        >
          {name}
        </div>
        <div style={{ display: 'flex', marginTop: 26, fontSize: 33, lineHeight: 1.36, color: muted }}>{text}</div>
      </div>
      <div style={{ display: 'flex', alignItems: 'center', gap: 36, fontSize: 30 }}>
        <div style={{ display: 'flex', alignItems: 'center', gap: 14 }}>
          <div style={{ width: 18, height: 18, borderRadius: 9, background: dots[standing.health] }} />
          <span>{t(`healthWords.${standing.health}.text`)}</span>
        </div>
        {facts({ agent, standing, t }).map((fact) => (
          <span key={fact} style={{ color: muted }}>
            {fact}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The agent's generated mark, in the colors of the dark theme. */
function Mark({ slug }: { slug: string }): ReactNode {
  const { tiles, hues } = markShapes(slug);
  return (
    <svg aria-hidden="true" height="72" style={{ borderRadius: 16 }} viewBox="0 0 40 40" width="72">
      <rect fill={oklchHex(0.34, 0.06, hues.ground)} height="40" width="40" />
      <g fill={oklchHex(0.82, 0.11, hues.figure)}>
        {tiles.map(({ path, transform }) => (
          <path d={path} key={transform} transform={transform} />
        ))}
      </g>
    </svg>
  );
}

function facts({ agent, standing: { score, rating, use }, t }: ListingImageProps): string[] {
  const all = [
    score ? t('listingImage.score', { total: score.total }) : null,
    rating ? t('listingImage.rating', { average: rating.average.toFixed(1) }) : null,
    use.users > 0 ? t('listingImage.users', { count: use.users }) : null,
    agent.badges.includes('verified') ? t('capability.verified.text') : null,
    agent.badges.includes('payments') ? t('capability.payments.text') : null,
  ];
  return all.filter((fact) => fact !== null).slice(0, 3);
}

/** The characters the font supports: for any other, the renderer would fetch a font from the network. */
function drawable(text: string, most: number): string {
  const known = text.replace(/[^\u0020-\u007e\u00a1-\u017f‘’“”–—…€·]/g, ' ').replace(/\s+/g, ' ');
  const clean = known.trim();
  return clean.length > most ? `${clean.slice(0, most - 1).trimEnd()}…` : clean;
}
