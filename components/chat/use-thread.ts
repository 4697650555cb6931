import { useTranslations } from 'next-intl';
import { type Dispatch, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { PostedMessage } from '../../lib/chat/schema';
import type { ThreadView } from '../../lib/chat/schema-thread';
import { toast } from '../ui/toast';
import { ApiError, cancelTask, eventsUrl, postMessage, readThread } from './api';
import { draftKey, readUnsent, saveUnsent } from './drafts';
import { type FeedStatus, openFeed } from './event-feed';
import { beginThread, type OwnMessage, reduceThread, type ThreadAction, type ThreadState } from './thread-state';
import { useProblem } from './use-problem';

/** `gone`: deleted elsewhere. `signed-out`: the session ended. */
export type Connection = FeedStatus | 'gone' | 'signed-out';

export interface Thread {
  state: ThreadState;
  connection: Connection;
  /** Sends or resends a message. */
  send: (message: OwnMessage) => void;
  /** Cancels the upload of a message with files. */
  cancelSending: (messageId: string) => void;
  discard: (messageId: string) => void;
  stop: (taskId: string) => void;
  /** There are tasks before the first of `state`. */
  hasOlder: boolean;
  /** Loads them, one page at a time. */
  loadOlder: () => Promise<void>;
}

interface ThreadOptions {
  /** Null until the conversation exists. */
  thread: ThreadView | null;
  agentSlug: string;
  /** A message is persisted, in this branch of the conversation. */
  onAccepted: (posted: PostedMessage) => void;
}

/** A conversation on this page: the server's events, pending messages, and the connection. */
export function useThread({ thread, agentSlug, onAccepted }: ThreadOptions): Thread {
  const t = useTranslations('chat.useThread');
  const problemOf = useProblem();
  const conversationId = thread?.conversation.id ?? null;
  const branch = thread?.branch.id;
  const [state, dispatch] = useReducer(reduceThread, thread?.tasks ?? [], beginThread);
  const older = useOlder(thread, state, dispatch);
  const connection = useFeed({ thread, broken: state.broken, dispatch, onLoaded: older.setHasOlder });
  useUnsent(draftKey(conversationId, agentSlug), state, dispatch);

  const uploads = useRef(new Map<string, () => void>());
  const cancelSending = useCallback((messageId: string) => uploads.current.get(messageId)?.(), []);

  const send = useCallback(
    (message: OwnMessage) => {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      const post = postMessage(
        { ...message, ...(conversationId === null ? { agentSlug } : { conversationId, branch }) },
        (progress) => dispatch({ type: 'progress', messageId, progress }),
      );
      uploads.current.set(messageId, post.cancel);
      post.answer
        .finally(() => uploads.current.delete(messageId))
        .then(
          (posted) => {
            dispatch({ type: 'accepted', messageId });
            onAccepted(posted);
          },
          (error: unknown) => dispatch({ type: 'not-sent', messageId, problem: problemOf(error) }),
        );
    },
    [agentSlug, branch, conversationId, onAccepted, problemOf],
  );

  const stop = useCallback(
    (taskId: string) => {
      if (conversationId === null) return;
      dispatch({ type: 'stopping', taskId });
      cancelTask(conversationId, taskId).catch((error: unknown) => {
        dispatch({ type: 'not-stopped', taskId });
        toast({ tone: 'danger', text: t('notStopped', { problem: problemOf(error) }) });
      });
    },
    [conversationId, problemOf, t],
  );

  const discard = useCallback((messageId: string) => dispatch({ type: 'discarded', messageId }), []);
  const { hasOlder, loadOlder } = older;
  return { state, connection, send, cancelSending, discard, stop, hasOlder, loadOlder };
}

interface FeedUse {
  thread: ThreadView | null;
  broken: boolean;
  dispatch: Dispatch<ThreadAction>;
  /** The thread was reloaded from its end, and whether there are earlier tasks. */
  onLoaded: (hasOlder: boolean) => void;
}

/** Keeps the stream of updates open, and reloads the thread where the stream cannot resume. */
function useFeed({ thread, broken, dispatch, onLoaded }: FeedUse): Connection {
  const conversationId = thread?.conversation.id ?? null;
  const branch = thread?.branch.id ?? '';
  const [connection, setConnection] = useState<Connection>('live');
  const [cursor, setCursor] = useState(thread?.cursor ?? '');

  /** Resolves to whether a retry makes sense. */
  const reload = useCallback(
    async (id: string): Promise<boolean> => {
      try {
        const fresh = await readThread(id, branch);
        dispatch({ type: 'loaded', tasks: fresh.tasks });
        onLoaded(fresh.hasOlder);
        setCursor(fresh.cursor);
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
function useOlder(
  thread: ThreadView | null,
  { tasks }: ThreadState,
  dispatch: Dispatch<ThreadAction>,
): Pick<Thread, 'hasOlder' | 'loadOlder'> & { setHasOlder: (hasOlder: boolean) => void } {
  const t = useTranslations('chat.useThread');
  const problemOf = useProblem();
  const [hasOlder, setHasOlder] = useState(thread?.hasOlder ?? false);
  const loading = useRef<string | null>(null);
  const conversationId = thread?.conversation.id;
  const branch = thread?.branch.id ?? '';
  const first = tasks[0]?.id;
  const begins = useRef(first);
  begins.current = first;

  const loadOlder = useCallback(async () => {
    if (conversationId === undefined || first === undefined || loading.current === first) return;
    loading.current = first;
    try {
      const page = await readThread(conversationId, branch, first);
      // Reloaded in the meantime: there would be a gap between this page and the current state.
      if (begins.current !== first) return;
      dispatch({ type: 'older', tasks: page.tasks });
      setHasOlder(page.hasOlder);
    } catch (error) {
      toast({ tone: 'danger', text: t('olderNotLoaded', { problem: problemOf(error) }) });
    } finally {
      if (loading.current === first) loading.current = null;
    }
  }, [branch, conversationId, dispatch, first, problemOf, t]);

  return { hasOlder, loadOlder, setHasOlder };
}

/** Messages not known to have reached the server outlive the page; after a reload the user decides about them. */
function useUnsent(storageKey: string, { outgoing }: ThreadState, dispatch: Dispatch<ThreadAction>): void {
  const t = useTranslations('chat.useThread');
  // A new translator must not read the messages again: some of them are being sent by then.
  const translator = useRef(t);
  translator.current = t;
  useEffect(() => {
    for (const message of readUnsent(storageKey)) {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      dispatch({ type: 'not-sent', messageId, problem: translator.current('leftBeforeSent') });
    }
  }, [storageKey, dispatch]);

  useEffect(() => {
    const open = outgoing.filter(({ accepted }) => !accepted);
    saveUnsent(
      storageKey,
      open.map(({ messageId, text, files, taskId, edits }) => ({ messageId, text, files, taskId, edits })),
    );
  }, [storageKey, outgoing]);
}
