import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext } from 'react';
import { IconButton } from '../ui/controls/button';
import { RetryIcon, ThumbDownIcon, ThumbUpIcon, TraceIcon } from '../ui/display/action-icons';
import { isRunning } from './is-running';
import { MessageActionsContext } from './message-actions';
import type { AgentItem } from './to-items';
import { toMessageContent } from './to-message-content';

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
