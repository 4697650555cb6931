'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Field } from '../forms/field';
import { controlClass } from '../forms/inputs';
import { Button } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';
import { announce } from '../ui/overlays/announcer';
import { runTest, type TestReport } from './test-run';
import { TestSteps } from './test-steps';

interface TestConsoleProps {
  slug: string;
  /** The call to repeat. */
  replay: string | null;
}

/** Calls the agent once and shows every step. */
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
