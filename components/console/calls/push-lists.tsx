import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { FailingReceiver, UndeliveredPush } from '@/lib/console/schema';
import { Badge } from '../../ui/display/badge';
import { Card, EmptyState } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { Fact, FactList, Literal } from '../../ui/display/fact-list';
import { Table } from '../../ui/display/table';
import { ResendPush } from './push-actions';

const columns = ['receiver', 'lastAnswer', 'attempts', 'nextTry'] as const;

/** Webhooks whose last push failed, with the response and the next retry. */
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

type Translator = ReturnType<typeof useTranslations<'console.undeliveredList'>>;

const reasons = ['url_refused', 'agent_timeout', 'agent_unreachable', 'http_410'] as const;

/** Undelivered pushes, newest first, each with the webhook's response and the number of attempts. */
export function UndeliveredList({ pushes }: { pushes: UndeliveredPush[] }): ReactNode {
  const t = useTranslations('console.undeliveredList');
  if (pushes.length === 0) {
    return <EmptyState title={t('none')}>{t('noneText')}</EmptyState>;
  }
  return (
    <Card>
      <ol className="divide-y divide-line">
        {pushes.map((push) => (
          <li className="space-y-3 p-4 sm:p-5" key={push.id}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm">
              <span className="font-medium">{reasonOf(push, t)}</span>
              <span className="text-muted tabular-nums">
                <DateTime at={push.at} />
              </span>
            </p>
            <FactList>
              <Fact name={t('receiver')}>
                <Literal>{push.url}</Literal>
              </Fact>
              <Fact name={t('attempts')}>{push.attempts}</Fact>
              <Fact name={t('task')}>
                {t.rich('taskEvent', {
                  task: push.taskId,
                  event: String(push.seq),
                  id: (chunks) => <Literal>{chunks}</Literal>,
                })}
              </Fact>
              <Fact name={t('delivery')}>
                <Literal>{push.id}</Literal>
              </Fact>
              {push.answer ? (
                <Fact name={t('answer')}>
                  <Literal>{push.answer}</Literal>
                </Fact>
              ) : null}
            </FactList>
            <ResendPush id={push.id} url={push.url} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function reasonOf({ reason, httpStatus }: UndeliveredPush, t: Translator): string {
  const known = reasons.find((one) => one === reason);
  if (known) return t(`reasons.${known}`);
  return httpStatus === null ? t('notTaken') : t('refused', { status: String(httpStatus) });
}
