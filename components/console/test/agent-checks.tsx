'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { MAX_CHECK_TEXT_LENGTH } from '@/lib/console/limits';
import type { CheckReportView } from '@/lib/console/schema-checks';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { Input } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { announce } from '../../ui/overlays/announcer';
import { CheckResults } from './check-results';

const textNames = ['message', 'slow', 'question', 'answer', 'cart'] as const;

/** Runs the checks of `parley test` on the agent, and shows what is wrong with it. */
export function AgentChecks({ slug }: { slug: string }): ReactNode {
  const t = useTranslations('console.agentChecks');
  const [pending, setPending] = useState(false);
  const [report, setReport] = useState<CheckReportView | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function run(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    const given = textNames.map((name): [string, string] => [name, String(form.get(name) ?? '').trim()]);
    const texts = Object.fromEntries(given.filter(([, text]) => text !== ''));
    setPending(true);
    setProblem(null);
    setReport(null);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/checks`, { texts });
    setPending(false);
    if (!response.ok) return setProblem(response.problem);
    const found = response.body as CheckReportView;
    setReport(found);
    announce(t('over', { failed: found.failed, passed: found.passed }));
  }

  return (
    <div className="space-y-6">
      <form className="max-w-2xl space-y-4" onSubmit={(event) => void run(event)}>
        <details className="text-sm">
          <summary className="cursor-pointer font-medium">{t('texts')}</summary>
          <p className="mt-2 text-muted">{t('textsHint')}</p>
          <div className="mt-4 space-y-4">
            {textNames.map((name) => (
              <Field hint={t(`hints.${name}`)} id={`check-${name}`} key={name} label={t(`names.${name}`)}>
                {(control) => <Input {...control} maxLength={MAX_CHECK_TEXT_LENGTH} name={name} />}
              </Field>
            ))}
          </div>
        </details>
        <Button pending={pending} tone="primary" type="submit">
          {t('run')}
        </Button>
        {pending ? <p className="text-sm text-muted">{t('running')}</p> : null}
      </form>
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem.title}
        </Alert>
      ) : null}
      {report ? <CheckResults report={report} /> : null}
    </div>
  );
}
