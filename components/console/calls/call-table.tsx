import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { LoggedCall } from '@/lib/console/schema';
import { agentCallPath } from '../../routes';
import { Badge } from '../../ui/display/badge';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { Table } from '../../ui/display/table';

/** Width of ids, so that all columns fit next to the navigation. */
const idWidth = 'max-w-20 sheet:max-w-40';

const columns = ['time', 'outcome', 'method', 'dialect', 'duration', 'person', 'request'] as const;

/** An agent's calls as a table; the time links to the call. */
export function CallTable({ slug, calls }: { slug: string; calls: LoggedCall[] }): ReactNode {
  const t = useTranslations('console.callTable');
  const format = useFormat();
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          {columns.map((name) => (
            <th data-numeric={name === 'duration' ? '' : undefined} key={name} scope="col">
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
                <DateTime at={call.at} />
              </Link>
            </th>
            <td data-label={t('column.outcome')}>
              <Outcome call={call} />
            </td>
            <td data-label={t('column.method')}>
              <OneLine className="max-w-44" text={call.method} />
            </td>
            <td className="whitespace-nowrap" data-label={t('column.dialect')}>
              {call.dialect || '–'}
            </td>
            <td data-label={t('column.duration')} data-numeric="">
              {format.duration(call.ms)}
            </td>
            <td data-label={t('column.person')}>
              <OneLine className={idWidth} text={call.caller} />
            </td>
            <td data-label={t('column.request')}>
              <OneLine className={idWidth} text={call.requestId} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** An id or a method name. */
function OneLine({ text, className }: { text: string; className: string }): ReactNode {
  return text ? <Identifier className={className}>{text}</Identifier> : '–';
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

interface IdentifierProps {
  children: string;
  /** Class that limits its width. */
  className?: string;
}

/**
 * An id, a method name or a path in one line, truncated at the end, without line breaks, and displayed in full on
 * hover.
 */
function Identifier({ children, className = 'max-w-full' }: IdentifierProps): ReactNode {
  return (
    <code className={clsx('block truncate font-mono text-xs', className)} dir="ltr" title={children}>
      {children}
    </code>
  );
}
