import type { ReactNode } from 'react';
import type { RunResult } from '@/lib/console/schema';
import { Alert } from '../ui/alert';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { CodeBlock } from '../ui/code-block';
import { formatTime } from '../ui/format-date';
import { durationOf } from './call-list';
import { CallWire } from './call-wire';
import type { TestReport, TestStep } from './test-run';

/** The steps of a test in their order, from the token to what introspection told the agent. */
export function TestSteps({ report: { steps, claims, behind } }: { report: TestReport }): ReactNode {
  return (
    <ol aria-label="Steps of the test" className="space-y-4">
      {steps.map((step) => (
        <Step key={step.name} step={step}>
          {step.name === 'Token' && claims ? (
            <CodeBlock code={JSON.stringify(claims, null, 2)} label="claims of the token" maxHeight="18rem" />
          ) : null}
        </Step>
      ))}
      {behind ? (
        <>
          <Behind behind={behind} />
          <Introspection behind={behind} />
        </>
      ) : null}
    </ol>
  );
}

const titles: Record<string, string> = {
  Token: 'Handshake: a token for this agent',
  Call: 'Your message through the gateway',
};

function Step({ step, children }: { step: TestStep; children: ReactNode }): ReactNode {
  const good = step.status >= 200 && step.status < 300;
  return (
    <Frame
      badge={<Badge tone={good ? 'good' : 'danger'}>{step.status === 0 ? 'no answer' : `HTTP ${step.status}`}</Badge>}
      time={durationOf(step.ms)}
      title={titles[step.name] ?? step.name}
    >
      <div className="grid gap-4 xl:grid-cols-2">
        <CodeBlock code={step.request} label={`${step.name.toLowerCase()} request`} maxHeight="18rem" />
        <CodeBlock code={step.response} label={`${step.name.toLowerCase()} response`} maxHeight="18rem" />
      </div>
      {step.curl ? <CodeBlock code={step.curl} label="the call as a curl line" /> : null}
      {children}
    </Frame>
  );
}

function Behind({ behind: { calls } }: { behind: RunResult }): ReactNode {
  return calls.map((call) => (
    <Frame
      badge={call.failure ? <Badge tone="danger">{call.failure.code}</Badge> : <Badge tone="good">answered</Badge>}
      key={call.id}
      time={durationOf(call.ms)}
      title="What Parley and your agent said to each other"
    >
      {call.failure ? <Alert tone="danger">{call.failure.message}</Alert> : null}
      {call.wire ? <CallWire open wire={call.wire} /> : null}
    </Frame>
  ));
}

function Introspection({ behind: { introspections, hasApp } }: { behind: RunResult }): ReactNode {
  const told = introspections.some(({ active }) => active);
  return (
    <Frame
      badge={<Badge tone={told ? 'good' : 'warn'}>{told ? 'active' : 'not seen'}</Badge>}
      time={null}
      title="What introspection told your agent"
    >
      {introspections.length > 0 ? (
        <ul className="space-y-1 text-sm">
          {introspections.map(({ at, active }) => (
            <li key={at}>
              <time dateTime={at}>{formatTime(at)}</time>:{' '}
              {active
                ? 'active: your agent knows who called.'
                : 'inactive: another app asked than the one linked here.'}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">
          {hasApp
            ? 'Your agent did not ask who called during this test.'
            : 'No developer app is linked to this agent, so it cannot ask who calls. Link one in the overview.'}
        </p>
      )}
    </Frame>
  );
}

interface FrameProps {
  title: string;
  badge: ReactNode;
  time: string | null;
  children: ReactNode;
}

function Frame({ title, badge, time, children }: FrameProps): ReactNode {
  return (
    <li>
      <Card className="space-y-4 p-5">
        <h2 className="flex flex-wrap items-center gap-3 font-semibold">
          {title} {badge}
          {time ? <span className="text-sm font-normal text-muted tabular-nums">{time}</span> : null}
        </h2>
        {children}
      </Card>
    </li>
  );
}
