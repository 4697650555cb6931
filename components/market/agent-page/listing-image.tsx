import type { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { AgentRanking, Health } from '@/lib/discovery/schema-rankings';
import { markShapes } from '../../ui/display/agent-mark';

const ink = '#f4f1ea';
const muted = '#a9bac6';
const signal = '#f2c230';
const dots: Record<Health, string> = { healthy: '#6fd39a', degraded: '#f0c060', down: '#ff9b8f', unknown: '#8496a3' };

interface ListingImageProps {
  agent: AgentDetail;
  standing: AgentRanking;
  /** Passed in, because the image renderer does not support hooks. */
  t: ReturnType<typeof useTranslations<'market'>>;
}

/** A listing's social image: 1200 by 630 pixels, rendered without assets except the renderer's own font. */
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

/** Returns the characters that the font supports. For others, the renderer would fetch a font from the network. */
function drawable(text: string, most: number): string {
  const known = text.replace(/[^\u0020-\u007e\u00a1-\u017f‘’“”–—…€·]/g, ' ').replace(/\s+/g, ' ');
  const clean = known.trim();
  return clean.length > most ? `${clean.slice(0, most - 1).trimEnd()}…` : clean;
}

/**
 * Converts an OKLCH color to sRGB in hex, for renderers without OKLCH. `hue` is in degrees. Clips colors outside of
 * sRGB.
 */
export function oklchHex(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channels = linear.map((value) => {
    const clipped = Math.min(1, Math.max(0, value));
    const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
