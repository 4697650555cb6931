import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { announce } from '../ui/announcer';
import type { AgentItem, Phase, ThreadItem } from './to-view';
import type { TurnNotice } from './turn-notice';

/**
 * Says the start and the end of each answer and each question to screen readers, once, never tokens. What was there when the
 * page came is not announced.
 */
export function useAnnouncements(items: readonly ThreadItem[], agentName: string): void {
  const t = useTranslations('chat.useAnnouncements');
  const tNotice = useTranslations('chat.turnNotice');
  const known = useRef<Map<string, Phase> | null>(null);

  useEffect(() => {
    const turns = items.filter((item): item is AgentItem => item.kind === 'agent');
    const before = known.current;
    known.current = new Map(turns.map(({ key, phase }) => [key, phase]));
    if (!before) return;
    for (const turn of turns) if (before.get(turn.key) !== turn.phase) say(turn);

    function say({ phase, notice }: AgentItem): void {
      if (phase === 'done' || phase === 'stopped') announce(t(phase));
      else if (phase === 'working' || phase === 'asks' || phase === 'needs-auth')
        announce(t(phase, { agent: agentName }));
      else if (notice && (phase === 'failed' || phase === 'rejected')) announce(endOf(notice), 'assertive');
    }

    function endOf({ title, text }: TurnNotice): string {
      const ended = tNotice(`title.${title}`);
      return text ? t('ended', { title: ended, text }) : ended;
    }
  }, [items, agentName, t, tNotice]);
}
