import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { LoggedCall } from '@/lib/console/schema';
import { agentCallPath } from '../shell/routes';
import { Badge } from '../ui/badge';
import { formatTime } from '../ui/format-date';
import { Table } from '../ui/table';
import { durationOf } from './call-list';
import { Literal } from './fact-list';

const columns = ['time', 'outcome', 'method', 'duration', 'person', 'request'] as const;

/** An agent's calls as a table; the time links to the call. */
export function CallTable({ slug, calls }: { slug: string; calls: LoggedCall[] }): ReactNode {
  const t = useTranslations('console.callTable');
  return (
    <Table caption={t('caption')}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {t(`column.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.id}>
            <th className="whitespace-nowrap tabular-nums" scope="row">
              <Link className="text-link" href={agentCallPath(slug, call.id)} prefetch={false}>
                <time dateTime={call.at}>{formatTime(call.at)}</time>
              </Link>
            </th>
            <td>
              <Outcome call={call} />
            </td>
            <td>
              <Literal>{call.method || '–'}</Literal>
            </td>
            <td className="whitespace-nowrap tabular-nums">{durationOf(call.ms)}</td>
            <td>
              <Literal>{call.caller.slice(0, 10) || '–'}</Literal>
            </td>
            <td>
              <Literal>{call.requestId}</Literal>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** A call's outcome, and whether it was made from the console. */
export function Outcome({ call: { failure, origin } }: { call: LoggedCall }): ReactNode {
  const t = useTranslations('console.callTable');
  return (
    <span className="flex flex-wrap gap-1.5">
      {failure ? <Badge tone="danger">{failure.code}</Badge> : <Badge tone="good">{t('answered')}</Badge>}
      {origin === 'people' ? null : <Badge tone="accent">{t(origin)}</Badge>}
    </span>
  );
}
