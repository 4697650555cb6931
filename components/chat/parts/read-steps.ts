import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';

const states = ['pending', 'active', 'done', 'failed'] as const;

export interface StepView {
  text: string;
  state: (typeof states)[number];
}

export interface StepsView {
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
