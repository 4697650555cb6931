import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext } from 'react';
import { IconButton } from '../ui/icon-button';
import { RetryIcon, ThumbDownIcon, ThumbUpIcon, TraceIcon } from './icons';
import { ThreadToolsContext } from './thread-tools';
import { toMessageContent } from './to-message-content';
import type { AgentItem } from './to-view';

/** Actions on a finished answer: retry, rate, inspect. */
export function TurnActions({ item }: { item: AgentItem }): ReactNode {
  const t = useTranslations('chat.turnActions');
  const tools = useContext(ThreadToolsContext);
  if (!tools || item.phase === 'working' || item.phase === 'stopping') return null;
  const verdict = tools.verdictOf(item);
  const { text, files } = toMessageContent(item.promptParts);
  const mayRetry =
    !item.turnStatus?.retry && item.phase !== 'asks' && item.phase !== 'needs-auth' && (text || files.length > 0);
  return (
    <div className="flex flex-wrap items-center gap-0.5">
      {mayRetry ? (
        <IconButton label={t('again')} onClick={() => tools.sendAgain(item.promptParts)} size="sm">
          <RetryIcon size={16} />
        </IconButton>
      ) : null}
      <IconButton
        aria-pressed={verdict === 'good'}
        className={clsx(verdict === 'good' && 'text-good')}
        label={t('good')}
        onClick={() => tools.judge(item, 'good')}
        size="sm"
      >
        <ThumbUpIcon size={16} />
      </IconButton>
      <IconButton
        aria-pressed={verdict === 'bad'}
        className={clsx(verdict === 'bad' && 'text-danger')}
        label={t('bad')}
        onClick={() => tools.judge(item, 'bad')}
        size="sm"
      >
        <ThumbDownIcon size={16} />
      </IconButton>
      <IconButton label={t('inspect')} onClick={() => tools.inspect(item.taskId)} size="sm">
        <TraceIcon size={16} />
      </IconButton>
    </div>
  );
}
