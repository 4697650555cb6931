'use client';

import { type ReactNode, useState } from 'react';
import type { TaskState } from '../../lib/protocol/a2a/core/model';
import { CheckIcon, ChevronDownIcon, CloseIcon, InfoIcon, WarningIcon } from '../ui/icons';
import { Spinner } from '../ui/spinner';
import { LocalTime } from './local-time';
import type { Phase, Step } from './to-view';

export interface TurnTimelineProps {
  phase: Phase;
  steps: Step[];
}

const headings: Record<Phase, string> = {
  working: 'Working',
  stopping: 'Stopping',
  asks: 'Waiting for your answer',
  'needs-auth': 'Waiting for you to authorize it',
  answered: 'Answered',
  done: 'Completed',
  failed: 'Failed',
  rejected: 'Declined',
  stopped: 'Stopped',
};

const labels: Record<TaskState, string> = {
  submitted: 'Sent to the agent',
  working: 'Working',
  'input-required': 'Asked for an answer',
  'auth-required': 'Asked to be authorized',
  completed: 'Completed',
  failed: 'Failed',
  rejected: 'Declined by the agent',
  canceled: 'Stopped',
};

/** Phases that the agent's work has an end in. */
const ended: ReadonlySet<Phase> = new Set(['done', 'failed', 'rejected', 'stopped']);

/** Where the task stands, in a line; opened, every state with its time. */
export function TurnTimeline({ phase, steps }: TurnTimelineProps): ReactNode {
  // Long conversations have hundreds of these: what nobody looks at is not drawn.
  const [open, setOpen] = useState(false);
  const remark = phase === 'working' ? steps.findLast((step) => step.remark !== null)?.remark : null;
  const took = ended.has(phase) ? durationOf(steps) : null;
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="bare-summary inline-flex min-h-8 max-w-full items-center gap-2 rounded-md text-muted hover:text-ink touch:min-h-11">
        <PhaseIcon phase={phase} />
        <span className="truncate" dir="auto">
          {headings[phase]}
          {took ? ` in ${took}` : ''}
          {remark ? `: ${remark}` : ''}
        </span>
        <ChevronDownIcon className="chevron shrink-0" size={14} />
        <span className="sr-only">, timeline</span>
      </summary>
      {open ? <StepList steps={steps} /> : null}
    </details>
  );
}

function StepList({ steps }: { steps: Step[] }): ReactNode {
  return (
    <ol aria-label="Timeline of this task" className="mt-1 mb-2 ms-2 space-y-1.5 border-s border-line ps-4">
      {steps.map(({ key, state, at, remark: said }) => (
        <li className="flex flex-wrap gap-x-3" key={key}>
          <span className="font-mono text-xs leading-relaxed text-muted">
            <LocalTime iso={at} />
          </span>
          <span>{labels[state]}</span>
          {said ? (
            <span className="text-muted" dir="auto">
              {said}
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

function PhaseIcon({ phase }: { phase: Phase }): ReactNode {
  switch (phase) {
    case 'working':
    case 'stopping':
      return <Spinner className="shrink-0" />;
    case 'done':
    case 'answered':
      return <CheckIcon className="shrink-0 text-good" size={16} />;
    case 'failed':
    case 'rejected':
      return <WarningIcon className="shrink-0 text-danger" size={16} />;
    case 'stopped':
      return <CloseIcon className="shrink-0" size={16} />;
    default:
      return <InfoIcon className="shrink-0 text-accent" size={16} />;
  }
}

function durationOf(steps: Step[]): string | null {
  const first = steps[0];
  const last = steps.at(-1);
  const ms = first && last ? Date.parse(last.at) - Date.parse(first.at) : 0;
  if (!(ms >= 100)) return null;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
