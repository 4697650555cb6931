'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { RunResult } from '@/lib/console/schema';
import { Field } from '../../forms/field';
import { controlClass } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Alert, QuotedMessage } from '../../ui/display/alert';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { CodeBlock } from '../../ui/display/code-block';
import { useFormat } from '../../ui/display/format';
import { announce } from '../../ui/overlays/announcer';
import { CallWire } from '../calls/call-wire';
import { runTest, type TestReport, type TestStep } from './test-run';

interface TestConsoleProps {
  slug: string;
  /** The call to repeat. */
  replay: string | null;
}

/** Calls the agent once and displays every step. */
export function TestConsole({ slug, replay }: TestConsoleProps): ReactNode {
  const t = useTranslations('console.testConsole');
  const [report, setReport] = useState<TestReport | null>(null);
  const [pending, setPending] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (pending) return;
    const text = String(new FormData(event.currentTarget).get('text') ?? '').trim();
    setPending(true);
    setReport(null);
    await runTest({ slug, text: text || t('sample'), replayOf: replay, onStep: setReport });
    setPending(false);
    announce(t('over'));
  }

  return (
    <div className="space-y-6">
      <form className="max-w-2xl space-y-4" onSubmit={(event) => void send(event)}>
        {replay ? (
          <Alert title={t('replayTitle')}>
            {t.rich('replayText', {
              replay,
              id: (chunks) => <span className="font-mono text-xs">{chunks}</span>,
            })}
          </Alert>
        ) : (
          <Field id="test-text" label={t('message')} required>
            {(control) => (
              <textarea
                {...control}
                className={`${controlClass} min-h-20 py-2`}
                defaultValue={t('sample')}
                name="text"
                rows={3}
              />
            )}
          </Field>
        )}
        <Button pending={pending} tone="primary" type="submit">
          {t(replay ? 'repeat' : 'send')}
        </Button>
      </form>
      {report?.problem ? (
        <Alert live="assertive" tone="danger">
          {report.problem.title}
        </Alert>
      ) : null}
      {report ? <TestSteps report={report} /> : null}
    </div>
  );
}

/** The steps of a test in order, from the token to the introspection response that the agent received. */
function TestSteps({ report: { steps, claims, behind } }: { report: TestReport }): ReactNode {
  const t = useTranslations('console.testSteps');
  return (
    <ol aria-label={t('title')} className="space-y-4">
      {steps.map((step) => (
        <Step key={step.name} step={step}>
          {step.name === 'token' && claims ? (
            <CodeBlock code={JSON.stringify(claims, null, 2)} label={t('claims')} maxHeight="18rem" />
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

function Step({ step, children }: { step: TestStep; children: ReactNode }): ReactNode {
  const t = useTranslations('console.testSteps');
  const format = useFormat();
  const hasAnswer = step.status !== 0;
  const good = step.status >= 200 && step.status < 300;
  return (
    <Frame
      badge={<Badge tone={good ? 'good' : 'danger'}>{hasAnswer ? `HTTP ${step.status}` : t('noAnswer')}</Badge>}
      time={format.duration(step.ms)}
      title={t(`steps.${step.name}.title`)}
    >
      <div className="grid gap-4 xl:grid-cols-2">
        <CodeBlock code={step.request} label={t(`steps.${step.name}.request`)} maxHeight="18rem" />
        <CodeBlock
          code={hasAnswer ? step.response : t('noResponse')}
          label={t(`steps.${step.name}.response`)}
          maxHeight="18rem"
        />
      </div>
      {step.curl ? <CodeBlock code={step.curl} label={t('curl')} /> : null}
      {children}
    </Frame>
  );
}

function Behind({ behind: { calls } }: { behind: RunResult }): ReactNode {
  const t = useTranslations('console.testSteps');
  const format = useFormat();
  return calls.map((call) => (
    <Frame
      badge={
        call.failure ? <Badge tone="danger">{call.failure.code}</Badge> : <Badge tone="good">{t('answered')}</Badge>
      }
      key={call.id}
      time={format.duration(call.ms)}
      title={t('behind')}
    >
      {call.failure ? (
        <Alert tone="danger">
          <QuotedMessage message={call.failure.message} />
        </Alert>
      ) : null}
      {call.wire ? <CallWire open wire={call.wire} /> : null}
    </Frame>
  ));
}

function Introspection({ behind: { introspections, hasApp } }: { behind: RunResult }): ReactNode {
  const t = useTranslations('console.testSteps');
  const format = useFormat();
  const isActive = introspections.some(({ active }) => active);
  return (
    <Frame
      badge={<Badge tone={isActive ? 'good' : 'warn'}>{t(isActive ? 'active' : 'notSeen')}</Badge>}
      time={null}
      title={t('introspection')}
    >
      {introspections.length > 0 ? (
        <ul className="space-y-1 text-sm">
          {introspections.map(({ at, active }) => (
            <li key={at}>
              {t.rich(active ? 'toldActive' : 'toldInactive', {
                at: format.date(at, 'moment'),
                time: (chunks) => <time dateTime={at}>{chunks}</time>,
              })}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">{t(hasApp ? 'notAsked' : 'noApp')}</p>
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
