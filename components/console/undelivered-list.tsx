import type { ReactNode } from 'react';
import type { UndeliveredPush } from '@/lib/console/schema';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatTime } from '../ui/format-date';
import { Fact, FactList, Literal } from './fact-list';
import { ResendPush } from './resend-push';

/** Pushes that nobody took, newest first, each with what the receiver said and how often it was tried. */
export function UndeliveredList({ pushes }: { pushes: UndeliveredPush[] }): ReactNode {
  if (pushes.length === 0) {
    return (
      <EmptyState title="Every push was taken">
        When a receiver of yours does not take a push within a day, or says that it is gone, it stands here with the
        reason.
      </EmptyState>
    );
  }
  return (
    <Card>
      <ol className="divide-y divide-line">
        {pushes.map((push) => (
          <li className="space-y-3 p-5" key={push.id}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm">
              <span className="font-medium">{reasonOf(push)}</span>
              <time className="text-muted tabular-nums" dateTime={push.at}>
                {formatTime(push.at)}
              </time>
            </p>
            <FactList>
              <Fact name="Receiver">
                <Literal>{push.url}</Literal>
              </Fact>
              <Fact name="Attempts">{push.attempts}</Fact>
              <Fact name="Task">
                <Literal>{push.taskId}</Literal>, event {push.seq}
              </Fact>
              <Fact name="Delivery">
                <Literal>{push.id}</Literal>
              </Fact>
              {push.answer ? (
                <Fact name="It answered">
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

const reasons: Record<string, string> = {
  url_refused: 'Parley may not call this address.',
  agent_timeout: 'The receiver did not answer in time.',
  agent_unreachable: 'The receiver could not be reached.',
  http_410: 'The receiver says that it is gone (HTTP 410).',
};

function reasonOf({ reason, httpStatus }: UndeliveredPush): string {
  return (
    reasons[reason] ??
    (httpStatus === null ? 'The receiver did not take it.' : `The receiver answered HTTP ${httpStatus}.`)
  );
}
