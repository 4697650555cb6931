import type { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail, PresenceView } from '@/lib/catalog/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import type { Format } from '../../ui/display/format';
import { CapabilityBadges, ListingBadges, MediaModes } from '../listing/capability-badges';

/** Returns the agent's skills, with their inputs and outputs. */
export function workProperties(t: RowTexts): Property[] {
  return [
    {
      key: 'skills',
      name: t('skills'),
      valueIn: ({ detail }) => detail.skills.map(({ name }) => name),
      show: ({ detail }) => (
        <ul className="space-y-1">
          {detail.skills.map(({ id, name }) => (
            <li dir="auto" key={id}>
              {name}
            </li>
          ))}
        </ul>
      ),
    },
    {
      key: 'capabilities',
      name: t('capabilities'),
      valueIn: ({ detail }) => [...detail.badges, ...(detail.isOpenToGuests ? ['guests'] : [])].toSorted(),
      show: ({ detail }) => (
        <span className="flex flex-wrap gap-1.5">
          <CapabilityBadges capabilities={detail.badges} isOpenToGuests={detail.isOpenToGuests} />
        </span>
      ),
    },
    {
      key: 'input',
      name: t('input'),
      valueIn: ({ detail }) => detail.inputModes.toSorted(),
      show: ({ detail }) => <MediaModes modes={detail.inputModes} />,
    },
    {
      key: 'output',
      name: t('output'),
      valueIn: ({ detail }) => detail.outputModes.toSorted(),
      show: ({ detail }) => <MediaModes modes={detail.outputModes} />,
    },
  ];
}

/** Returns the data that the agent requests and receives. */
export function dataProperties(t: RowTexts): Property[] {
  return [
    {
      key: 'signIn',
      name: t('signIn'),
      valueIn: ({ detail }) => detail.securitySchemes.map(({ summary }) => summary).join('; ') || t('noSignIn'),
    },
    {
      key: 'identity',
      name: t('identity'),
      valueIn: ({ detail }) => t(detail.canIdentifyCallers ? 'knows.caller' : 'knows.nobody'),
    },
    {
      key: 'extensions',
      name: t('extensions'),
      valueIn: ({ detail }) => detail.extensions.map(({ uri }) => uri).join(' ') || t('noExtensions'),
      show: ({ detail }) =>
        detail.extensions.length === 0
          ? t('noExtensions')
          : detail.extensions.map(({ uri }) => (
              <span className="block font-mono text-xs break-all" key={uri}>
                {uri}
              </span>
            )),
    },
  ];
}

/** Returns the publisher and the dates of the listing. */
export function listingProperties(t: RowTexts, format: Format): Property[] {
  return [
    {
      key: 'publisher',
      name: t('publisher'),
      valueIn: ({ detail }) => [detail.publisher.name, String(detail.badges.includes('verified'))],
      show: ({ detail }) => (
        <>
          <bdi>{detail.publisher.name}</bdi>
          <span className="block text-muted">
            {t(detail.badges.includes('verified') ? 'owner.verified' : 'owner.unverified')}
          </span>
        </>
      ),
    },
    {
      key: 'version',
      name: t('version'),
      valueIn: ({ detail }) => detail.version,
      show: ({ detail }) => <span className="font-mono text-xs">{detail.version}</span>,
    },
    {
      key: 'updated',
      name: t('updated'),
      valueIn: ({ detail }) => format.date(detail.updatedAt),
      show: ({ detail }) => <time dateTime={detail.updatedAt}>{format.date(detail.updatedAt)}</time>,
    },
    {
      key: 'status',
      name: t('status'),
      valueIn: ({ detail }) => [detail.status, detail.visibility],
      show: ({ detail }) =>
        detail.status === 'active' && detail.visibility === 'public' ? (
          t('listed')
        ) : (
          <ListingBadges status={detail.status} visibility={detail.visibility} />
        ),
    },
  ];
}

/** An agent with all data that is compared. */
export interface ComparedAgent {
  detail: AgentDetail;
  standing: AgentRanking;
  /** Null for an agent with its own URL. */
  presence: PresenceView | null;
}

/** A property: the value that is compared, and its display. */
export interface Property {
  key: string;
  name: string;
  valueIn: (agent: ComparedAgent) => string | number | null | string[];
  show?: (agent: ComparedAgent) => ReactNode;
  /** A number for which higher is better; null if unknown. */
  merit?: (agent: ComparedAgent) => number | null;
}

export type RowTexts = ReturnType<typeof useTranslations<'market.compareRows'>>;
