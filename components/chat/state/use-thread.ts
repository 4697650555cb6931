import { useTranslations } from 'next-intl';
import { type Dispatch, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { PostedMessage } from '../../../lib/chat/schema';
import type { ThreadView } from '../../../lib/chat/schema-thread';
import { toast } from '../../ui/overlays/toast';
import { ApiError, cancelTask, eventsUrl, postMessage, readThread } from './api';
import { type ChainActions, useChainActions } from './chains';
import { draftKey, readUnsent, saveUnsent } from './drafts';
import { type FeedStatus, openFeed } from './event-feed';
import { createThreadState, type NewMessage, reduceThread, type ThreadAction, type ThreadState } from './thread-state';
import { useProblem } from './use-problem';

/** `gone`: deleted elsewhere. `signed-out`: the session ended. */
export type Connection = FeedStatus | 'gone' | 'signed-out';

export interface Thread {
  state: ThreadState;
  connection: Connection;
  /** Sends or resends a message. */
  send: (message: NewMessage) => void;
  /** Cancels the upload of a message with files. */
  cancelUpload: (messageId: string) => void;
  discard: (messageId: string) => void;
  stop: (taskId: string) => void;
  chainActions: ChainActions;
  /** True if there are tasks before the first one of `state`. */
  hasOlder: boolean;
  /** Loads them, one page at a time. */
  loadOlder: () => Promise<void>;
}

interface ThreadOptions {
  /** Null before the conversation exists. */
  thread: ThreadView | null;
  agentSlug: string;
  /** True if a message first starts a guest session. */
  asGuest?: boolean;
  /** Called when a message is persisted, in this branch of the conversation. */
  onAccepted: (posted: PostedMessage) => void;
}

/** A conversation on this page: the server's events, pending messages, and the connection. */
export function useThread({ thread, agentSlug, asGuest = false, onAccepted }: ThreadOptions): Thread {
  const t = useTranslations('chat.useThread');
  const problemOf = useProblem();
  const conversationId = thread?.conversation.id ?? null;
  const branch = thread?.branch.id;
  const [state, dispatch] = useReducer(reduceThread, thread, (view) =>
    createThreadState(view?.tasks ?? [], view?.chains),
  );
  const chainActions = useChainActions(dispatch);
  const older = useOlderTasks(thread, state, dispatch);
  const connection = useFeed({ thread, broken: state.hasGap, dispatch, onLoaded: older.setHasOlder });
  useUnsent(draftKey(conversationId, agentSlug), state, dispatch);

  const uploads = useRef(new Map<string, () => void>());
  const cancelUpload = useCallback((messageId: string) => uploads.current.get(messageId)?.(), []);

  const send = useCallback(
    (message: NewMessage) => {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      const post = postMessage(
        { ...message, ...(conversationId === null ? { agentSlug } : { conversationId, branch }) },
        { asGuest, onProgress: (progress) => dispatch({ type: 'progress', messageId, progress }) },
      );
      uploads.current.set(messageId, post.cancel);
      post.response
        .finally(() => uploads.current.delete(messageId))
        .then(
          (posted) => {
            dispatch({ type: 'accepted', messageId });
            onAccepted(posted);
          },
          (error: unknown) => {
            const unpaid = error instanceof ApiError ? error.unpaid : null;
            dispatch({ type: 'send-failed', messageId, problem: problemOf(error), unpaid });
          },
        );
    },
    [agentSlug, asGuest, branch, conversationId, onAccepted, problemOf],
  );

  const stop = useCallback(
    (taskId: string) => {
      if (conversationId === null) return;
      dispatch({ type: 'stopping', taskId });
      cancelTask(conversationId, taskId).catch((error: unknown) => {
        dispatch({ type: 'stop-failed', taskId });
        toast({ tone: 'danger', text: t('notStopped', { problem: problemOf(error) }) });
      });
    },
    [conversationId, problemOf, t],
  );

  const discard = useCallback((messageId: string) => dispatch({ type: 'discarded', messageId }), []);
  const { hasOlder, loadOlder } = older;
  return { state, connection, send, cancelUpload, discard, stop, chainActions, hasOlder, loadOlder };
}

interface UseFeedOptions {
  thread: ThreadView | null;
  broken: boolean;
  dispatch: Dispatch<ThreadAction>;
  /** Called when the thread was reloaded from its end. `hasOlder` is true if there are earlier tasks. */
  onLoaded: (hasOlder: boolean) => void;
}

/** Keeps the stream of updates open, and reloads the thread if the stream cannot resume. */
function useFeed({ thread, broken, dispatch, onLoaded }: UseFeedOptions): Connection {
  const conversationId = thread?.conversation.id ?? null;
  const branch = thread?.branch.id ?? '';
  const [connection, setConnection] = useState<Connection>('live');
  const [cursor, setCursor] = useState(thread?.cursor ?? '');

  /** Resolves to true if a retry may succeed. */
  const reload = useCallback(
    async (id: string): Promise<boolean> => {
      try {
        const latest = await readThread(id, branch);
        dispatch({ type: 'loaded', tasks: latest.tasks, chains: latest.chains });
        onLoaded(latest.hasOlder);
        setCursor(latest.cursor);
        return true;
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0;
        if (status === 401 || status === 403) setConnection('signed-out');
        else if (status === 404) setConnection('gone');
        return status === 0 || status === 429 || status >= 500;
      }
    },
    [branch, dispatch, onLoaded],
  );

  useEffect(() => {
    if (conversationId === null) return;
    return openFeed({
      cursor,
      urlOf: (from) => eventsUrl(conversationId, branch, from),
      onChain: (chain) => dispatch({ type: 'chain-changed', chain }),
      onUpdates: (updates) => dispatch({ type: 'updated', updates }),
      onStatus: setConnection,
      onRefused: () => reload(conversationId),
    });
  }, [branch, conversationId, cursor, dispatch, reload]);

  useEffect(() => {
    if (broken && conversationId !== null) void reload(conversationId);
  }, [broken, conversationId, reload]);

  return connection;
}

/** Loads tasks before the first known one. */
function useOlderTasks(
  thread: ThreadView | null,
  { tasks }: ThreadState,
  dispatch: Dispatch<ThreadAction>,
): Pick<Thread, 'hasOlder' | 'loadOlder'> & { setHasOlder: (hasOlder: boolean) => void } {
  const t = useTranslations('chat.useThread');
  const problemOf = useProblem();
  const [hasOlder, setHasOlder] = useState(thread?.hasOlder ?? false);
  const loadingTaskId = useRef<string | null>(null);
  const conversationId = thread?.conversation.id;
  const branch = thread?.branch.id ?? '';
  const firstTaskId = tasks[0]?.id;
  const latestFirstTaskId = useRef(firstTaskId);
  latestFirstTaskId.current = firstTaskId;

  const loadOlder = useCallback(async () => {
    if (conversationId === undefined || firstTaskId === undefined || loadingTaskId.current === firstTaskId) return;
    loadingTaskId.current = firstTaskId;
    try {
      const page = await readThread(conversationId, branch, firstTaskId);
      // Reloaded in the meantime, so there would be a gap between this page and the current state.
      if (latestFirstTaskId.current !== firstTaskId) return;
      dispatch({ type: 'older-loaded', tasks: page.tasks, chains: page.chains });
      setHasOlder(page.hasOlder);
    } catch (error) {
      toast({ tone: 'danger', text: t('olderNotLoaded', { problem: problemOf(error) }) });
    } finally {
      if (loadingTaskId.current === firstTaskId) loadingTaskId.current = null;
    }
  }, [branch, conversationId, dispatch, firstTaskId, problemOf, t]);

  return { hasOlder, loadOlder, setHasOlder };
}

/**
 * Stores messages that are not known to have reached the server beyond the page. After a reload, the user decides about
 * them.
 */
function useUnsent(storageKey: string, { outgoing }: ThreadState, dispatch: Dispatch<ThreadAction>): void {
  const t = useTranslations('chat.useThread');
  // A new translator must not cause the messages to be read again, because some of them may already be being sent.
  const translator = useRef(t);
  translator.current = t;
  useEffect(() => {
    for (const message of readUnsent(storageKey)) {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      dispatch({ type: 'send-failed', messageId, problem: translator.current('leftBeforeSent') });
    }
  }, [storageKey, dispatch]);

  useEffect(() => {
    const unaccepted = outgoing.filter(({ accepted }) => !accepted);
    saveUnsent(
      storageKey,
      unaccepted.map(({ accepted: _, problem: __, progress: ___, ...message }) => message),
    );
  }, [storageKey, outgoing]);
}
