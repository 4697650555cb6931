'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { CardFrame } from './card-frame';
import { JsonCard } from './json-card';

const states = ['pending', 'active', 'done', 'failed'] as const;

interface StepView {
  text: string;
  state: (typeof states)[number];
}

interface StepsView {
  title: string | null;
  steps: StepView[];
}

const MAX_STEPS = 100;

/** Reads the steps of a plan (docs/data-parts.md). Null for all other data. */
export function readSteps(data: JsonValue): StepsView | null {
  if (!isObject(data) || !Array.isArray(data.steps) || data.steps.length > MAX_STEPS) return null;
  const steps = data.steps.map(readStep).filter((step) => step !== null);
  if (steps.length === 0 || steps.length < data.steps.length) return null;
  return { title: nonEmptyString(data.title) ?? null, steps };
}

function readStep(value: JsonValue): StepView | null {
  if (typeof value === 'string') return value.trim() === '' ? null : { text: value, state: 'pending' };
  const text = isObject(value) ? nonEmptyString(value.text) : undefined;
  if (!isObject(value) || text === undefined) return null;
  return { text, state: states.find((state) => state === value.state) ?? 'pending' };
}

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
