import type { ReactNode } from 'react';
import type { FailedCall } from '@/lib/console/schema';
import { Card } from '../ui/card';
import { formatTime } from '../ui/format-date';
import { CheckIcon } from '../ui/icons';
import { Literal } from './fact-list';

/** The latest calls that failed, newest first, each with the id to quote. */
export function FailureList({ failures }: { failures: FailedCall[] }): ReactNode {
  if (failures.length === 0) {
    return (
      <Card className="flex items-center gap-2.5 p-5 text-sm">
        <CheckIcon className="shrink-0 text-good" />
        No call to this agent has failed. When one does, it stands here with the reason.
      </Card>
    );
  }
  return (
    <Card>
      <ol className="divide-y divide-line text-sm">
        {failures.map(({ at, code, message, requestId }) => (
          <li className="grid gap-x-6 gap-y-1 p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:px-5" key={`${at} ${requestId}`}>
            <p className="font-medium">{message}</p>
            <time className="text-muted tabular-nums sm:text-right" dateTime={at}>
              {formatTime(at)}
            </time>
            <p className="text-muted sm:col-span-2">
              <Literal>{code}</Literal> · request <Literal>{requestId}</Literal>
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
