import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { FailingReceiver } from '@/lib/console/schema-pushes';
import { Badge } from '../ui/display/badge';
import { DateTime } from '../ui/display/date-time';
import { Literal } from '../ui/display/fact-list';
import { Table } from '../ui/display/table';

const columns = ['receiver', 'lastAnswer', 'attempts', 'nextTry'] as const;

/** Receivers whose last push failed, with the response and the next retry. */
export function FailingPushes({ receivers }: { receivers: FailingReceiver[] }): ReactNode {
  const t = useTranslations('console.failingPushes');
  return (
    <section aria-label={t('title')}>
      <Table caption={t('title')}>
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
          {receivers.map(({ taskId, configId, url, attempts, nextTry, httpStatus, answer }) => (
            <tr key={`${taskId} ${configId}`}>
              <th scope="row">
                <Literal>{url}</Literal>
              </th>
              <td>
                <Badge tone="danger">{httpStatus === null ? t('noAnswer') : `HTTP ${httpStatus}`}</Badge>
                {answer ? <span className="mt-1 block font-mono text-xs break-all text-muted">{answer}</span> : null}
              </td>
              <td className="tabular-nums">{attempts}</td>
              <td className="whitespace-nowrap tabular-nums">
                <DateTime at={nextTry} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
