import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import type { CardState } from '@/lib/catalog/schema-cards';
import type { PublishChecklist as Checklist, ChecklistItem } from '@/lib/console/schema-agents';
import { CapabilityBadge } from '../../market/listing/capability-badges';
import { agentCardPath, agentSettingsPath, agentTestPath } from '../../routes';
import { CopyButton } from '../../ui/controls/copy-button';
import { Alert, QuotedMessage } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { Fact, FactList, Literal } from '../../ui/display/fact-list';
import { useFormat } from '../../ui/display/format';
import { CheckIcon, InfoIcon } from '../../ui/display/icons';
import { StatusBadge } from '../frame/agent-tabs';
import { RestoreAgent } from './restore-agent';

/** The agent's URLs, on Parley and its own, and the capabilities of its card. */
export function AgentOverview({ agent }: { agent: OwnAgent }): ReactNode {
  const t = useTranslations('console.agentOverview');
  return (
    <Card className="p-5">
      <FactList>
        <Fact name={t('state')}>
          <span className="flex flex-wrap gap-1.5">
            <StatusBadge status={agent.status} />
            {agent.badges.map((badge) => (
              <CapabilityBadge capability={badge} key={badge} />
            ))}
          </span>
        </Fact>
        <Fact name={t('address')}>
          <Literal>{agent.url}</Literal>
          <CopyButton className="-my-1 ms-1 align-middle" text={agent.url} what={t('addressToCopy')} />
        </Fact>
        <Fact name={t('ownAddress')}>
          {agent.connection === 'hub' ? t('connects') : <Literal>{agent.registeredUrl}</Literal>}
        </Fact>
        <Fact name={t('version')}>{agent.version}</Fact>
        <Fact name={t('changed')}>
          <DateTime at={agent.updatedAt} />
        </Fact>
      </FactList>
    </Card>
  );
}

/**
 * The requirements of a complete listing, which are marked as done automatically, and a note if search excludes the
 * listing.
 */
export function PublishChecklist({ agent, checklist }: { agent: OwnAgent; checklist: Checklist }): ReactNode {
  const { slug, connection } = agent;
  const t = useTranslations('console.publishChecklist');
  const done = checklist.items.filter((item) => item.done).length;
  return (
    <div className="space-y-4">
      <Alert tone={checklist.notInSearch ? 'warn' : 'good'}>
        {checklist.notInSearch ? t(`notInSearch.${checklist.notInSearch}`) : t('inSearch')}
      </Alert>
      <Card className="p-5">
        <p className="mb-3 text-sm text-muted">
          {t.rich(connection === 'hub' ? 'sumOfSent' : 'sum', {
            done: String(done),
            all: String(checklist.items.length),
            read: (chunks) => (
              <Link className="text-link" href={agentCardPath(slug)}>
                {chunks}
              </Link>
            ),
          })}
        </p>
        <ul className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
          {checklist.items.map((item) => (
            <li className="flex gap-2.5" key={item.id}>
              {item.done ? (
                <CheckIcon className="mt-0.5 shrink-0 text-good" size={16} />
              ) : (
                <InfoIcon className="mt-0.5 shrink-0 text-warn" size={16} />
              )}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="sr-only">{t(item.done ? 'done' : 'toDo')} </span>
                {item.done ? t(`items.${item.id}.done`) : <OpenItem item={item} slug={slug} />}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function OpenItem({ slug, item: { id, detail } }: { slug: string; item: ChecklistItem }): ReactNode {
  const t = useTranslations('console.publishChecklist');
  return t.rich(`items.${id}.open`, {
    detail: detail ?? '',
    count: Number(detail),
    isKnown: detail ? 'yes' : 'no',
    ownership: (chunks) => (
      <Link className="text-link" href={`${agentSettingsPath(slug)}#ownership`}>
        {chunks}
      </Link>
    ),
    listing: (chunks) => (
      <Link className="text-link" href={`${agentSettingsPath(slug)}#listing`}>
        {chunks}
      </Link>
    ),
    test: (chunks) => (
      <Link className="text-link" href={agentTestPath(slug)}>
        {chunks}
      </Link>
    ),
  });
}

interface AgentStateNotesProps {
  agent: OwnAgent;
  /** The reason why the card cannot be fetched, and the time of the first failure. */
  failing: CardState['failing'];
}

/**
 * The conditions that prevent the agent from working as listed: a suspension, a withdrawal or a card that cannot be
 * read.
 */
export function AgentStateNotes({ agent, failing }: AgentStateNotesProps): ReactNode {
  const t = useTranslations('console.agentOverview');
  const format = useFormat();
  if (agent.status !== 'suspended' && agent.status !== 'withdrawn' && !failing) return null;
  return (
    <div className="mb-8 space-y-4">
      {agent.status === 'suspended' ? (
        <Alert title={t('suspended')} tone="danger">
          {t('suspendedNote')}
        </Alert>
      ) : null}
      {agent.status === 'withdrawn' ? (
        <Alert title={t('withdrawn')}>
          <p>{t('withdrawnNote')}</p>
          {agent.role === 'owner' ? <RestoreAgent slug={agent.slug} /> : null}
        </Alert>
      ) : null}
      {failing ? (
        <Alert title={t('failing')} tone="warn">
          <p>
            {t.rich('failingSince', {
              since: format.date(failing.since, 'moment'),
              time: (since) => <time dateTime={failing.since}>{since}</time>,
            })}
          </p>
          <p className="break-words">
            <QuotedMessage message={failing.reason} />
          </p>
        </Alert>
      ) : null}
    </div>
  );
}
