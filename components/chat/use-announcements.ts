import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { announce } from '../ui/announcer';
import type { AgentItem, Phase, ThreadItem } from './to-view';
import type { TurnStatus } from './turn-status';

/** The task of the message that led to another page: its answer may start before that page is hydrated. */
let awaited: string | null = null;

/** The next page announces the answer to this task. */
export function awaitAnswer(taskId: string): void {
  awaited = taskId;
}

/**
 * Announces the start and end of each answer and each question to screen readers, once, never tokens. What was already
 * on the page is not announced, except the awaited answer; neither is earlier history.
 */
export function useAnnouncements(items: readonly ThreadItem[], agentName: string): void {
  const t = useTranslations('chat.useAnnouncements');
  const tNotice = useTranslations('chat.turnNotice');
  const known = useRef<Map<string, Phase> | null>(null);

  useEffect(() => {
    const turns = items.filter((item): item is AgentItem => item.kind === 'agent');
    const before = known.current;
    known.current = new Map(turns.map(({ key, phase }) => [key, phase]));
    const first = turns.findIndex(({ key }) => before?.has(key));
    for (const [at, turn] of turns.entries()) {
      const isNews = before ? at >= first && before.get(turn.key) !== turn.phase : turn.taskId === awaited;
      if (isNews) say(turn);
    }
    if (!before) awaited = null;

    function say({ phase, turnStatus }: AgentItem): void {
      if (turnStatus && (turnStatus.title === 'empty' || turnStatus.title === 'unanswered'))
        announce(endOf(turnStatus));
      else if (phase === 'done' || phase === 'stopped') announce(t(phase));
      else if (phase === 'working' || phase === 'asks' || phase === 'needs-auth')
        announce(t(phase, { agent: agentName }));
      else if (turnStatus && (phase === 'failed' || phase === 'rejected')) announce(endOf(turnStatus), 'assertive');
    }

    function endOf({ title, text }: TurnStatus): string {
      const ended = tNotice(`title.${title}`);
      return text ? t('ended', { title: ended, text }) : ended;
    }
  }, [items, agentName, t, tNotice]);
}
