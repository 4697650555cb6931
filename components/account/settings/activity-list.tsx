import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type ActivityTopic, type ActivityView, activityTopics } from '@/lib/account/schema';
import { Field } from '../../forms/field';
import { Select } from '../../forms/inputs';
import { agentPath } from '../../routes';
import { settingsRoutes } from '../../settings-routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import {
  type ConnectionScopeTranslator,
  connectionScopeLabel,
  type ScopeTranslator,
  scopeLabel,
} from '../access/scopes';

/** Limits the activity log to one topic. The form is submitted by GET, so that every view has a URL. */
export function ActivityFilter({ topic }: { topic: ActivityTopic | undefined }): ReactNode {
  const t = useTranslations('account.activityFilter');
  return (
    <form action={settingsRoutes.activity} aria-label={t('label')} className="flex flex-wrap items-end gap-3">
      <Field id="topic" label={t('topic')} required>
        {({ required: _, ...control }) => (
          <Select {...control} defaultValue={topic ?? ''} name="topic">
            <option value="">{t('all')}</option>
            {activityTopics.map((one) => (
              <option key={one} value={one}>
                {t(`topics.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit">{t('apply')}</Button>
    </form>
  );
}

type Translator = ReturnType<typeof useTranslations<'account.activityList'>>;

interface ActivityListProps {
  entries: ActivityView[];
  isFiltered: boolean;
}

/** The user's audit log, one entry per row. */
export function ActivityList({ entries, isFiltered }: ActivityListProps): ReactNode {
  const t = useTranslations('account.activityList');
  const tFilter = useTranslations('account.activityFilter');
  if (entries.length === 0 && isFiltered) {
    return (
      <EmptyNote
        action={<LinkButton href={settingsRoutes.activity}>{tFilter('clear')}</LinkButton>}
        title={tFilter('noMatch')}
      >
        {tFilter('noMatchHint')}
      </EmptyNote>
    );
  }
  if (entries.length === 0) {
    return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <ActivityRow entry={entry} key={entry.id} />
        ))}
      </ul>
    </Card>
  );
}

function ActivityRow({ entry }: { entry: ActivityView }): ReactNode {
  const t = useTranslations('account.activityList');
  const tScopes = useTranslations('account.scopes');
  const tConnections = useTranslations('account.connectionScopes');
  const { at, event, object, agent, place } = entry;
  // Signing keys belong to the deployment, not to a user.
  const title = event === 'key.added' || event === 'key.removed' ? event : t(`titles.${event}`);
  const entryDetail = detailOf(entry, { t, tScopes, tConnections });
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-4">
      <div className="min-w-0 space-y-0.5">
        <p className="font-medium">
          {agent
            ? t.rich('ofAgent', {
                title,
                name: agent.name,
                agent: (chunks) => (
                  <Link className="text-link break-words" href={agentPath(agent.slug)} prefetch={false}>
                    <bdi>{chunks}</bdi>
                  </Link>
                ),
              })
            : title}
        </p>
        {entryDetail ? <p className="text-sm break-words text-muted">{entryDetail}</p> : null}
        {place ? (
          <p className="text-sm text-muted">
            {t.rich('place', {
              ...place,
              english: (chunks) => <span lang="en">{chunks}</span>,
              mono: (chunks) => <span className="font-mono">{chunks}</span>,
            })}
          </p>
        ) : null}
        {object && !agent ? <p className="font-mono text-xs break-all text-muted">{object}</p> : null}
      </div>
      <p className="text-sm text-muted">
        <DateTime at={at} />
      </p>
    </li>
  );
}

/** Returns the details in addition to the title. */
function detailOf(
  { event, detail }: ActivityView,
  { t, tScopes, tConnections }: { t: Translator; tScopes: ScopeTranslator; tConnections: ConnectionScopeTranslator },
): ReactNode {
  switch (event) {
    case 'session.started':
      return knownText(t, 'ways', detail);
    case 'session.ended':
      return knownText(t, 'ends', detail);
    case 'connection.allowed':
    case 'connection.denied':
      return listOf(detail, (scope) => connectionScopeLabel(tConnections, scope));
    case 'connection.reused':
      return knownText(t, 'reused', detail);
    case 'token.created':
      return listOf(detail, (scope) => scopeLabel(tScopes, scope));
    case 'grant.set':
      return detail === '' ? t('onlyCalled') : listOf(detail, (scope) => knownText(t, 'grants', scope) ?? scope);
    case 'agent.changed':
      return listOf(detail, (member) => knownText(t, 'members', member) ?? capitalized(member));
    case 'secret.ended':
      return t.rich('worksUntil', { moment: () => <DateTime at={detail} /> });
    default:
      return null;
  }
}

function listOf(words: string, toText: (word: string) => string): string {
  return words.split(' ').map(toText).join(' · ');
}

/** Returns the text for a value of the log; null for an unknown value. */
function knownText(
  t: Translator,
  list: 'ways' | 'ends' | 'grants' | 'members' | 'reused',
  word: string,
): string | null {
  const key = `${list}.${word}` as Parameters<Translator>[0];
  return t.has(key) ? t(key) : null;
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
