'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { Alert } from '../ui/alert';
import { announce } from '../ui/announcer';
import { Button } from '../ui/button';
import { controlClass } from '../ui/control-class';
import { Field } from '../ui/field';
import { runTest, type TestReport } from './test-run';
import { TestSteps } from './test-steps';

interface TestConsoleProps {
  slug: string;
  /** The call that is to be repeated. */
  replay: string | null;
}

const sample = 'Hello! What can you do?';

/** Calls the agent once and shows every step of the way. */
export function TestConsole({ slug, replay }: TestConsoleProps): ReactNode {
  const [report, setReport] = useState<TestReport | null>(null);
  const [pending, setPending] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (pending) return;
    const text = String(new FormData(event.currentTarget).get('text') ?? '').trim();
    setPending(true);
    setReport(null);
    await runTest({ slug, text: text || sample, replayOf: replay, onStep: setReport });
    setPending(false);
    announce('The call is over. Its steps stand below.');
  }

  return (
    <div className="space-y-6">
      <form className="max-w-2xl space-y-4" onSubmit={(event) => void send(event)}>
        {replay ? (
          <Alert title="This says again what a failed call said">
            It is made with your own token, which can pay nothing, and stands in the log as a replay of{' '}
            <span className="font-mono text-xs">{replay}</span>.
          </Alert>
        ) : (
          <Field id="test-text" label="Message" required>
            {(control) => (
              <textarea
                {...control}
                className={`${controlClass} min-h-20 py-2`}
                defaultValue={sample}
                name="text"
                rows={3}
              />
            )}
          </Field>
        )}
        <Button pending={pending} tone="primary" type="submit">
          {replay ? 'Repeat the call' : 'Send'}
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
