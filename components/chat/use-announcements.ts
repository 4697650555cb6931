import { useEffect, useRef } from 'react';
import { announce } from '../ui/announcer';
import type { AgentItem, Phase, ThreadItem } from './to-view';

/**
 * Says the start and the end of each answer and each question to screen readers, once, never tokens. What was there when the
 * page came is not announced.
 */
export function useAnnouncements(items: readonly ThreadItem[], agentName: string): void {
  const known = useRef<Map<string, Phase> | null>(null);

  useEffect(() => {
    const turns = items.filter((item): item is AgentItem => item.kind === 'agent');
    const before = known.current;
    known.current = new Map(turns.map(({ key, phase }) => [key, phase]));
    if (!before) return;
    for (const turn of turns) if (before.get(turn.key) !== turn.phase) say(turn, agentName);
  }, [items, agentName]);
}

function say({ phase, notice }: AgentItem, agentName: string): void {
  switch (phase) {
    case 'working':
      announce(`${agentName} is answering.`);
      break;
    case 'done':
      announce('Answer complete.');
      break;
    case 'stopped':
      announce('Stopped.');
      break;
    case 'failed':
    case 'rejected':
      announce([notice?.title, notice?.text].filter(Boolean).join('. '), 'assertive');
      break;
    case 'asks':
      announce(`${agentName} asks a question. What you send next is the answer.`);
      break;
    case 'needs-auth':
      announce(`${agentName} waits for you to authorize something.`);
      break;
    default:
      break;
  }
}
