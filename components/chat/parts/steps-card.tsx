'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { JsonValue } from '../../../lib/protocol/json';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { CardFrame } from './card-frame';
import { JsonCard } from './json-card';
import { readSteps, type StepsView, type StepView } from './read-steps';

const marks = { pending: '○', active: '●', done: '✓', failed: '✕' } as const satisfies Record<
  StepView['state'],
  string
>;
const colors = { pending: 'text-muted', active: 'text-accent', done: 'text-good', failed: 'text-danger' } as const;

/** The steps of an agent's plan, each with its state; data that is no plan as JSON. */
export function StepsCard({ value }: { value: JsonValue }): ReactNode {
  const plan = readSteps(value);
  return plan ? <Plan plan={plan} /> : <JsonCard value={value} />;
}

function Plan({ plan }: { plan: StepsView }): ReactNode {
  const t = useTranslations('parts.stepsCard');
  const doneCount = plan.steps.filter(({ state }) => state === 'done').length;
  return (
    <CardFrame label={t('label')}>
      <div className="space-y-3 p-4">
        <p className="flex flex-wrap justify-between gap-x-4">
          <span className="font-semibold break-words">
            {plan.title ? <UntrustedText text={plan.title} /> : t('label')}
          </span>
          <span className="text-muted">{t('count', { done: doneCount, all: plan.steps.length })}</span>
        </p>
        <ol className="space-y-1.5">
          {withIndex(plan.steps).map(({ item: { text, state }, index }) => (
            <li aria-current={state === 'active' ? 'step' : undefined} className="flex gap-2.5" key={index}>
              <span aria-hidden className={clsx('w-4 shrink-0 text-center', colors[state])}>
                {marks[state]}
              </span>
              <span className={clsx('min-w-0 break-words', state === 'active' && 'font-medium')}>
                <UntrustedText text={text} /> <span className="sr-only">{t(state)}</span>
              </span>
            </li>
          ))}
        </ol>
      </div>
    </CardFrame>
  );
}
