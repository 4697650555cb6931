import Link from 'next/link';
import type { ReactNode } from 'react';
import type { CallDetail } from '@/lib/console/schema';
import { agentCallPath, agentLogPath } from '../shell/routes';
import { Alert } from '../ui/alert';
import { Card } from '../ui/card';
import { CodeBlock } from '../ui/code-block';
import { CopyButton } from '../ui/copy-button';
import { formatTime } from '../ui/format-date';
import { durationOf } from './call-list';
import { Outcome } from './call-table';
import { CallWire } from './call-wire';
import { curlOfWire } from './curl-of-wire';
import { Fact, FactList, Literal } from './fact-list';

/** Everything that is known of one call. */
export function CallDetails({ slug, call }: { slug: string; call: CallDetail }): ReactNode {
  const { at, ms, method, dialect, requestId, caller, failure, replayOf, wire } = call;
  return (
    <div className="space-y-6">
      {failure ? <Alert title={failure.message} tone="danger" /> : null}
      <Card className="p-5">
        <FactList>
          <Fact name="Outcome">
            <Outcome call={call} />
          </Fact>
          <Fact name="Time">
            <time dateTime={at}>{formatTime(at)}</time>
          </Fact>
          <Fact name="Duration">{durationOf(ms)}</Fact>
          <Fact name="Method">
            <Literal>{method || 'the agent was not called'}</Literal> {dialect ? `in A2A ${dialect}` : null}
          </Fact>
          <Fact name="Request id">
            <Literal>{requestId}</Literal>
            <CopyButton className="-my-1 ms-1 align-middle" text={requestId} what="the request id" />
          </Fact>
          {caller ? (
            <Fact name="Person">
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
            <Fact name="Repeats">
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
          <CodeBlock code={curlOfWire(wire)} label="the request as a curl line" maxHeight="16rem" />
        </>
      ) : (
        <p className="text-sm text-muted">
          What went over the wire was not kept: that is done for calls that failed, and for tests.
        </p>
      )}
    </div>
  );
}
