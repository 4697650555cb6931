import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CallDetail } from '@/lib/console/schema';
import { agentCallPath, agentLogPath } from '../../routes';
import { CopyButton } from '../../ui/controls/copy-button';
import { Alert, QuotedMessage } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { CodeBlock } from '../../ui/display/code-block';
import { DateTime } from '../../ui/display/date-time';
import { Fact, FactList, Literal } from '../../ui/display/fact-list';
import { useFormat } from '../../ui/display/format';
import { Outcome } from './call-table';
import { CallWire } from './call-wire';

/** All details of a call. */
export function CallDetails({ slug, call }: { slug: string; call: CallDetail }): ReactNode {
  const t = useTranslations('console.callDetails');
  const format = useFormat();
  const { at, ms, method, dialect, requestId, taskId, caller, failure, replayOf, wire } = call;
  const called = method || t('notCalled');
  return (
    <div className="space-y-6">
      {failure ? <Alert title={<QuotedMessage message={failure.message} />} tone="danger" /> : null}
      <Card className="p-4 sm:p-5">
        <FactList>
          <Fact name={t('outcome')}>
            <Outcome call={call} />
          </Fact>
          <Fact name={t('time')}>
            <DateTime at={at} show="exact" />
          </Fact>
          <Fact name={t('duration')}>{format.duration(ms)}</Fact>
          <Fact name={t('method')}>
            {dialect ? t.rich('methodIn', { method: called, dialect, mono: literal }) : literal(called)}
          </Fact>
          <Fact name={t('requestId')}>
            <Literal>{requestId}</Literal>
            <CopyButton className="-my-1 ms-1 align-middle" text={requestId} what={t('requestIdToCopy')} />
          </Fact>
          {taskId ? (
            <Fact name={t('taskId')}>
              <Link
                className="text-link"
                href={`${agentLogPath(slug)}?${new URLSearchParams({ q: taskId })}`}
                prefetch={false}
              >
                <Literal>{taskId}</Literal>
              </Link>
            </Fact>
          ) : null}
          {caller ? (
            <Fact name={t('person')}>
              <Link
                className="text-link"
                href={`${agentLogPath(slug)}?${new URLSearchParams({ caller })}`}
                prefetch={false}
              >
                <Literal>{caller}</Literal>
              </Link>
            </Fact>
          ) : null}
          {replayOf ? (
            <Fact name={t('repeats')}>
              <Link className="text-link" href={agentCallPath(slug, replayOf)} prefetch={false}>
                <Literal>{replayOf}</Literal>
              </Link>
            </Fact>
          ) : null}
        </FactList>
      </Card>
      {wire ? (
        <>
          <CallWire open wire={wire} />
          <CodeBlock code={curlOfWire(wire)} label={t('curl')} maxHeight="16rem" />
        </>
      ) : (
        <p className="text-sm text-muted">{t(failure ? 'noneKept' : 'notKept')}</p>
      )}
    </div>
  );
}

function literal(text: ReactNode): ReactNode {
  return <Literal>{text}</Literal>;
}

type Wire = NonNullable<CallDetail['wire']>;

const masked = '[secret]';

/** Returns a logged request as a curl command. Masked values become shell variables, so that it can be run. */
function curlOfWire({ request: { method, url, headers, body } }: Wire): string {
  const shown = Object.entries(headers).filter(
    ([name]) => !/^(content-length|host|connection|traceparent)$/i.test(name),
  );
  const lines = [
    `curl -X ${method} ${quoted(url)}`,
    ...shown.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`  --data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n');
}

/** Quotes text in single quotes, with variables in place of masked values. */
function quoted(text: string): string {
  return text
    .split(masked)
    .map((piece) => `'${piece.replaceAll("'", `'\\''`)}'`)
    .join('"$SECRET"');
}
