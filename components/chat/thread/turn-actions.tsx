'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useState } from 'react';
import { isInterrupted } from '../../../lib/protocol/a2a/core/model';
import { IconButton } from '../../ui/controls/button';
import { Spinner } from '../../ui/controls/loading';
import { RetryIcon, ThumbDownIcon, ThumbUpIcon, TraceIcon } from '../../ui/display/action-icons';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { CheckIcon, ChevronDownIcon, CloseIcon, InfoIcon, WarningIcon } from '../../ui/display/icons';
import { isRunning } from '../state/agent-item';
import { toMessageContent } from '../state/message-content';
import type { AgentItem, Phase, Step } from '../state/to-items';
import { MessageActionsContext } from './message-actions';

/** Actions on a finished answer: retry, rate, inspect. */
export function TurnActions({ item }: { item: AgentItem }): ReactNode {
  const t = useTranslations('chat.turnActions');
  const actions = useContext(MessageActionsContext);
  if (!actions || isRunning(item.phase)) return null;
  const verdict = actions.verdictOf(item);
  const { text, files } = toMessageContent(item.promptParts);
  const mayRetry =
    !item.turnStatus?.retry && item.phase !== 'asks' && item.phase !== 'needs-auth' && (text || files.length > 0);
  return (
    <div className="flex flex-wrap items-center gap-0.5">
      {mayRetry ? (
        <IconButton label={t('again')} onClick={() => actions.sendAgain(item.promptParts)} size="sm">
          <RetryIcon size={16} />
        </IconButton>
      ) : null}
      <IconButton
        aria-pressed={verdict === 'good'}
        className={clsx(verdict === 'good' && 'text-good')}
        label={t('good')}
        onClick={() => actions.rate(item, 'good')}
        size="sm"
      >
        <ThumbUpIcon size={16} />
      </IconButton>
      <IconButton
        aria-pressed={verdict === 'bad'}
        className={clsx(verdict === 'bad' && 'text-danger')}
        label={t('bad')}
        onClick={() => actions.rate(item, 'bad')}
        size="sm"
      >
        <ThumbDownIcon size={16} />
      </IconButton>
      <IconButton label={t('inspect')} onClick={() => actions.inspect(item.taskId)} size="sm">
        <TraceIcon size={16} />
      </IconButton>
    </div>
  );
}

interface TurnTimelineProps {
  phase: Phase;
  steps: Step[];
}

/** Phases in which the agent's work is finished. */
const FINISHED_PHASES = ['done', 'failed', 'rejected', 'stopped'] as const satisfies Phase[];

/** The task's state in one line. Expands to all states with their times. */
export function TurnTimeline({ phase, steps }: TurnTimelineProps): ReactNode {
  const t = useTranslations('chat.turnTimeline');
  // Long conversations have hundreds of these, so collapsed ones are not rendered.
  const [open, setOpen] = useState(false);
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="bare-summary inline-flex min-h-8 max-w-full items-center gap-2 rounded-md text-muted hover:text-ink touch:min-h-11">
        <PhaseIcon phase={phase} />
        <span className="truncate" dir="auto">
          <Heading phase={phase} steps={steps} />
        </span>
        <ChevronDownIcon className="chevron shrink-0" size={14} />
        <span className="sr-only">{t('timeline')}</span>
      </summary>
      {open ? <StepList isOver={!isRunning(phase)} steps={steps} /> : null}
    </details>
  );
}

function Heading({ phase, steps }: TurnTimelineProps): ReactNode {
  const t = useTranslations('chat.turnTimeline');
  const format = useFormat();
  const remark = phase === 'working' ? steps.findLast((step) => step.progressText !== null)?.progressText : null;
  if (remark) return t('workingOn', { remark });
  const finishedPhase = FINISHED_PHASES.find((one) => one === phase);
  const ms = durationOf(steps);
  if (!finishedPhase || !(ms >= 100)) return t(`phase.${phase}`);
  return t(`endedIn.${finishedPhase}`, { duration: format.duration(ms) });
}

interface StepListProps {
  steps: Step[];
  /** True if the turn has ended, so that no step is still in progress. */
  isOver: boolean;
}

function StepList({ steps, isOver }: StepListProps): ReactNode {
  const t = useTranslations('chat.turnTimeline');
  return (
    <ol aria-label={t('label')} className="mt-1 mb-2 ms-2 space-y-1.5 border-s border-line ps-4">
      {steps.map(({ key, state, timestamp, progressText }) => (
        <li className="flex flex-wrap gap-x-3" key={key}>
          <span className="font-mono text-xs leading-relaxed text-muted">
            <DateTime at={timestamp} show="time" />
          </span>
          <span>{t(`state.${isOver && state === 'working' ? 'worked' : state}`)}</span>
          {progressText && !isOver ? (
            <span className="text-muted" dir="auto">
              {progressText}
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
    case 'unanswered':
      return <CloseIcon className="shrink-0" size={16} />;
    default:
      return <InfoIcon className="shrink-0 text-accent" size={16} />;
  }
}

/** Returns the milliseconds from the first step to the last, without the time spent waiting for the user. */
function durationOf(steps: Step[]): number {
  let total = 0;
  for (const [index, { state, timestamp: from }] of steps.entries()) {
    const next = steps[index + 1];
    if (next && !isInterrupted(state)) total += Date.parse(next.timestamp) - Date.parse(from);
  }
  return total;
}
