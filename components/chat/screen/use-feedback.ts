import { useTranslations } from 'next-intl';
import { useCallback, useState } from 'react';
import type { FeedbackView, GiveFeedback } from '../../../lib/chat/schema-thread';
import { toast } from '../../ui/overlays/toast';
import { giveFeedback, withdrawFeedback } from '../state/api';
import type { AgentItem } from '../state/to-items';
import { useProblem } from '../state/use-problem';

type Turn = Pick<AgentItem, 'taskId' | 'seq'>;

export interface FeedbackState {
  feedbackOf: (turn: Turn) => FeedbackView | null;
  /** Rates an answer. The same rating again withdraws it. Resolves to true if the rating is then set. */
  rate: (turn: Turn, verdict: FeedbackView['verdict']) => boolean;
  /** Sends the reason. */
  addReason: (turn: Turn, reason: Pick<GiveFeedback, 'category' | 'note'>) => Promise<boolean>;
}

/** Returns the user's ratings, which are updated optimistically and rolled back if the server rejects the change. */
export function useFeedback(conversationId: string | null, initialFeedback: FeedbackView[]): FeedbackState {
  const t = useTranslations('chat.useFeedback');
  const problemOf = useProblem();
  const [feedbackByTurn, setFeedbackByTurn] = useState(
    () => new Map(initialFeedback.map((view) => [keyOf(view), view])),
  );

  const setView = useCallback((turn: Turn, view: FeedbackView | null) => {
    setFeedbackByTurn((old) => {
      const next = new Map(old);
      if (view) next.set(keyOf(turn), view);
      else next.delete(keyOf(turn));
      return next;
    });
  }, []);

  const save = useCallback(
    async (turn: Turn, view: FeedbackView | null, previous: FeedbackView | null): Promise<boolean> => {
      if (conversationId === null) return false;
      setView(turn, view);
      try {
        if (view) {
          const { verdict, category, note } = view;
          await giveFeedback(turn.taskId, turn.seq, {
            conversationId,
            verdict,
            category: (category ?? undefined) as GiveFeedback['category'],
            note: note ?? undefined,
          });
        } else await withdrawFeedback(conversationId, turn.taskId, turn.seq);
        return true;
      } catch (error) {
        setView(turn, previous);
        toast({ tone: 'danger', text: t('notKept', { problem: problemOf(error, t('tryAgain')) }) });
        return false;
      }
    },
    [conversationId, problemOf, setView, t],
  );

  const feedbackOf = useCallback((turn: Turn) => feedbackByTurn.get(keyOf(turn)) ?? null, [feedbackByTurn]);
  return {
    feedbackOf,
    rate(turn, verdict) {
      const previous = feedbackByTurn.get(keyOf(turn)) ?? null;
      const isRated = previous?.verdict !== verdict;
      const { taskId, seq } = turn;
      void save(turn, isRated ? { taskId, seq, verdict, category: null, note: null } : null, previous);
      return isRated;
    },
    addReason(turn, { category = null, note = null }) {
      const { taskId, seq } = turn;
      return save(turn, { taskId, seq, verdict: 'bad', category, note }, feedbackByTurn.get(keyOf(turn)) ?? null);
    },
  };
}

function keyOf({ taskId, seq }: Turn): string {
  return `${taskId} ${seq}`;
}
