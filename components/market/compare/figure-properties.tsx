import type { useTranslations } from 'next-intl';
import type { ScoreKey } from '@/lib/discovery/schema-rankings';
import type { Format } from '../../ui/display/format';
import { HealthBadge, PresenceBadge } from '../listing/health-badge';
import { PriceText } from '../listing/price-text';
import type { ComparedAgent, Property, RowTexts } from './fact-properties';

/** Returns the properties that matter most for a choice. */
export function choiceProperties(t: RowTexts, format: Format): Property[] {
  return [
    {
      key: 'price',
      name: t('price'),
      valueIn: ({ detail: { price } }) => [price.kind, String(price.amount), String(price.currency)],
      show: ({ detail }) => <PriceText price={detail.price} />,
    },
    {
      key: 'score',
      name: t('score'),
      valueIn: ({ standing }) => standing.score?.total ?? null,
      merit: ({ standing }) => standing.score?.total ?? null,
      show: ({ standing }) => t('scoreOf', { score: String(standing.score?.total) }),
    },
    {
      key: 'rating',
      name: t('rating'),
      valueIn: ({ standing: { rating } }) => rating && [rating.average.toFixed(1), String(rating.count)],
      merit: ({ standing: { rating } }) => rating?.average ?? null,
      show: ({ standing: { rating } }) =>
        rating && t('ratingOf', { average: format.rating(rating.average), count: rating.count }),
    },
    {
      key: 'users',
      name: t('users'),
      valueIn: ({ standing }) => standing.use.users,
      merit: ({ standing }) => standing.use.users,
    },
    {
      key: 'success',
      name: t('success'),
      valueIn: ({ standing }) => standing.use.success,
      merit: ({ standing }) => standing.use.success,
      show: ({ standing }) => standing.use.success !== null && format.percent(standing.use.success),
    },
  ];
}

/** Returns a part of the score with its points. */
export function scoreProperty(key: ScoreKey, texts: ReturnType<typeof useTranslations<'market.scoreWords'>>): Property {
  const partOf = ({ standing }: ComparedAgent) => standing.score?.parts.find((part) => part.key === key);
  return {
    key,
    name: texts(`${key}.name`),
    valueIn: (agent) => partOf(agent)?.points ?? null,
    merit: (agent) => partOf(agent)?.points ?? null,
    show: (agent) => {
      const part = partOf(agent);
      return part && `${part.points} / ${part.weight}`;
    },
  };
}

/** Returns the reliability and latency of the agent. */
export function reliabilityProperties(t: RowTexts, format: Format): Property[] {
  return [
    {
      key: 'state',
      name: t('state'),
      valueIn: ({ standing, presence }) => (presence ? String(presence.online) : [standing.health, standing.rung]),
      show: ({ standing, presence }) =>
        presence ? (
          <PresenceBadge presence={presence} />
        ) : (
          <HealthBadge health={standing.health} isUnderMaintenance={standing.rung !== 'listed'} />
        ),
    },
    {
      key: 'uptime',
      name: t('uptime'),
      valueIn: ({ standing }) => standing.uptime?.share ?? null,
      merit: ({ standing }) => standing.uptime?.share ?? null,
      show: ({ standing }) => standing.uptime && format.percent(standing.uptime.share),
    },
    {
      key: 'latency',
      name: t('latency'),
      valueIn: ({ standing }) => standing.latency?.p50Ms ?? null,
      merit: ({ standing }) => standing.latency && -standing.latency.p50Ms,
      show: ({ standing }) => standing.latency && format.duration(standing.latency.p50Ms),
    },
  ];
}
