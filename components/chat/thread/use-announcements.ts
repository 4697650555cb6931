import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { announce } from '../../ui/overlays/announcer';
import type { AgentItem, Phase, ThreadItem } from '../state/to-items';
import type { TurnStatus } from '../state/turn-status';

/** The task of the message that caused a navigation, because its answer may start before the new page is hydrated. */
let awaitedTaskId: string | null = null;

/** Makes the next page announce the answer to this task. */
export function announceAnswerTo(taskId: string): void {
  awaitedTaskId = taskId;
}

/**
 * Announces the start and end of each answer, and each question, to screen readers, once. Does not announce tokens,
 * content that was already on the page, and earlier history, except the awaited answer.
 */
export function useAnnouncements(items: readonly ThreadItem[], agentName: string): void {
  const t = useTranslations('chat.useAnnouncements');
  const tNotice = useTranslations('chat.turnNotice');
  const previousPhases = useRef<Map<string, Phase> | null>(null);

  useEffect(() => {
    const turns = items.filter((item): item is AgentItem => item.kind === 'agent');
    const previous = previousPhases.current;
    previousPhases.current = new Map(turns.map(({ key, phase }) => [key, phase]));
    const first = turns.findIndex(({ key }) => previous?.has(key));
    for (const [index, turn] of turns.entries()) {
      const isNew = previous ? index >= first && previous.get(turn.key) !== turn.phase : turn.taskId === awaitedTaskId;
      const continues = previous?.get(turn.key) === 'needs-approval' && turn.phase === 'working';
      if (isNew && !continues) announceTurn(turn);
    }
    if (!previous) awaitedTaskId = null;

    function announceTurn({ phase, turnStatus }: AgentItem): void {
      if (turnStatus && (turnStatus.title === 'empty' || turnStatus.title === 'unanswered'))
        announce(textOf(turnStatus));
      else if (phase === 'done' || phase === 'stopped') announce(t(phase));
      else if (phase === 'working' || phase === 'asks' || phase === 'needs-auth')
        announce(t(phase, { agent: agentName }));
      else if (turnStatus && (phase === 'failed' || phase === 'rejected')) announce(textOf(turnStatus), 'assertive');
    }

    function textOf({ title, text }: TurnStatus): string {
      const ended = tNotice(`title.${title}`);
      return text ? t('ended', { title: ended, text }) : ended;
    }
  }, [items, agentName, t, tNotice]);
}
